import MillraceTesting
import Testing
