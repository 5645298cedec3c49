// SPDX-License-Identifier: Apache-2.0

import MillraceCombine
import Testing

/// A reducer alone: a function with a name, called without a store.
@Suite("Readme: volume reducer")
struct VolumeReducerTests {
    @Test("reduces a local state; its limits hold")
    func local() {
        var volume = Volume(level: 9)
        for action in [VolumeAction.louder, .louder, .mute] { volumeReducer.reduce(action, &volume) }
        #expect(volume == Volume(level: 10, isMuted: true))
        volumeReducer.reduce(.softer, &volume)
        #expect(volume == Volume(level: 9))
    }

    @Test("the app's reducer gives each part its own actions")
    func global() {
        var state = AppState()
        appReducer.reduce(.playback(.volume(.louder)), &state)
        appReducer.reduce(.playback(.pause), &state)
        appReducer.reduce(.favourites(.changed(movie: 1, isFavourite: true)), &state)
        appReducer.reduce(.started, &state)
        var expected = AppState()
        expected.playback = Playback(isPaused: true, volume: Volume(level: 6))
        expected.favourites.movies = [1]
        #expect(state == expected)
    }
}
