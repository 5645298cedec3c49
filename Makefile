# SPDX-License-Identifier: Apache-2.0
#
# Every target does its own set-up (liburcu by apt-get where it is missing); 'make help' lists them.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
MAKEFLAGS += --no-print-directory

# Arguments of 'run', 'bench', 'bench-plot', 'test' and 'docs'; LOG is the access log of 'bench-cli'.
ARGS ?=
LOG ?=
# The tests that the sanitizers repeat: all but those of the commands and of the test kits.
SANITIZED := ^(CMillraceTests|MillraceRuntimeTests|MillraceCoreTests|ConformanceTests|ReadmeTests|MillraceTests|LinearizabilityTests|MillraceObservationTests|MillraceEffectsTests|MillraceCombineTests|MillraceGatedTests|MillraceLoggingTests|MillraceInstrumentationTests|MillraceServiceTests|MillraceMetricsTests|MillraceRecordsTests|MillraceFeedbackTests|MillraceSubstatesTests|MillraceJournalTests)\.

# SwiftPM gives the compiler the traits of the package in the order of a set. In another order it compiles everything anew,
# so this fixes the order.
BUILD := SWIFT_DETERMINISTIC_HASHING=1 swift build
# For a package of its own, such as Benchmarks, SwiftPM compiles a new file of the library only if the manifest of the package
# is newer than the build plan.
PACKAGE = touch $(1)/Package.swift && $(BUILD) --package-path $(1)

# The number of tests that run at a time. With more, on few processors, each takes longer, up to its time limit.
export SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH ?= 8

.PHONY: help run demo build test tsan asan bench bench-journal bench-check bench-plot bench-cli articles consumer-test lift-check examples weakmemory model coverage mutate trust trust-once simulate fuzz lint format docs ci clean

help: ## this list
	@echo "make run [ARGS=\"--events 1000000 --json\"]"
	@echo "make test [ARGS=\"--filter QueueTests\"]"
	@echo
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  %-14s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: ## builds in release and runs 'millrace run' with ARGS
	@scripts/setup.sh
	@$(BUILD) -c release --product millrace 1>&2
	@.build/release/millrace run $(ARGS)

demo: ## kills a run with a journal again and again, and compares its counts with those of a run that nobody killed
	@scripts/setup.sh
	@$(BUILD) -c release --product millrace 1>&2
	@scripts/demo.sh .build/release/millrace $(ARGS)

build: ## builds everything in release
	@scripts/setup.sh
	$(BUILD) -c release

test: ## builds in debug and runs all tests, in parallel
	@scripts/setup.sh
	swift test --disable-xctest $(ARGS)

tsan: ## the library's tests under ThreadSanitizer
	@scripts/setup.sh
	SWIFT_BACKTRACE=enable=no TSAN_OPTIONS=halt_on_error=1 \
	  swift test --disable-xctest --sanitize=thread --scratch-path .build-tsan --filter '$(SANITIZED)'

asan: ## the library's tests under AddressSanitizer, with leak detection
	@scripts/setup.sh
	SWIFT_BACKTRACE=enable=no LSAN_OPTIONS=suppressions=$(CURDIR)/scripts/lsan.supp \
	  swift test --disable-xctest --sanitize=address --scratch-path .build-asan --filter '$(SANITIZED)'

weakmemory: ## the C core under a model of the C11 memory, then with single mistakes and weaker orders that must be found
	@scripts/setup.sh
	scripts/weakmemory.sh $(ARGS)
	scripts/weakmemory.sh --mutants
	scripts/weakmemory.sh --orders

model: ## all states of small models of the core, by spin, then mistakes that must be found; ARGS=queue for one model
	@scripts/setup.sh model
	@scripts/model.sh $(ARGS)

coverage: ## all tests with counters: how many lines of each target they run, at least 90 %; ARGS=--report prints the last table
	@scripts/setup.sh
	@scripts/coverage.sh $(ARGS)

mutate: ## hundreds of small mistakes in a copy of the library, which the tests must find; goes on where it ended; ARGS=--status
	@scripts/setup.sh
	@scripts/mutate.py $(ARGS)

simulate: ## the library's own scenarios in simulated worlds: rules, repetition, planted defects; ARGS=10000 for more seeds
	@scripts/setup.sh
	scripts/simulate.sh $(ARGS)

trust: ## the longer proofs, about two hours; docs/trust.md says what they show; ARGS="models kills" for some
	@scripts/setup.sh build
	@scripts/trust.sh $(ARGS)

trust-once: ## the proofs of many hours, in parts that are kept; ARGS=--status shows them, ARGS="--minutes 60 soak" does some
	@scripts/trust-once.sh $(ARGS)

fuzz: ## feeds the readers of files, logs and options with made-up bytes; ARGS="journal 600", ARGS=--corpus
	@scripts/setup.sh
	@scripts/fuzz.sh $(ARGS)

bench: ## builds and runs the benchmarks of the library, with ARGS (Benchmarks/README.md)
	@scripts/setup.sh build bench
	@$(BUILD) -c release --product millrace 1>&2
	@$(call PACKAGE,Benchmarks) -c release 1>&2
	@Benchmarks/.build/release/millrace-bench $(ARGS)

bench-journal: ## the files of a journal beside write and fdatasync; ARGS="FOLDER PAIRS PART", the folder on a disk
	@scripts/setup.sh
	@$(BUILD) -c release --product journal-bench 1>&2
	@.build/release/journal-bench $(ARGS)

bench-check: ## counts instructions, allocations, retains, … of an operation; fails where they have grown
	@scripts/setup.sh build bench bench-check
	@$(call PACKAGE,Benchmarks) -c release 1>&2
	@Benchmarks/.build/release/millrace-bench check $(ARGS)

bench-plot: ## draws docs/figures.svg and docs/cliffs.svg from Benchmarks/*.json; with ARGS=--check, fails where one is another
	@$(BUILD) --package-path Benchmarks/Tools 1>&2
	@Benchmarks/Tools/.build/debug/bench-plot Benchmarks/figures.json docs/figures.svg $(ARGS)
	@Benchmarks/Tools/.build/debug/bench-plot --cliffs Benchmarks/cliffs.json docs/cliffs.svg $(ARGS)

bench-cli: ## compares 'millrace run' with mawk and GoAccess on the log LOG=path
	@scripts/setup.sh build bench-cli
	@$(BUILD) -c release --product millrace 1>&2
	@scripts/bench-cli.sh .build/release/millrace "$(LOG)"

lift-check: ## how long the compiler takes for compositions of lifts, and what is left of their key paths
	@scripts/setup.sh
	scripts/lift-check.sh

articles: ## runs the commands of the README and of all articles, long ones in short
	@scripts/setup.sh
	$(BUILD) --build-tests
	scripts/commands-test.sh

consumer-test: ## uses the library from other packages: by path, and by a git tag
	@scripts/setup.sh
	scripts/consumer-test.sh

examples: ## builds the examples in release, runs their tests, and runs those that end by themselves
	@scripts/readme-check.sh
	@scripts/setup.sh
	$(call PACKAGE,Examples) -c release --build-tests
	swift test -c release --skip-build --disable-xctest --package-path Examples
	examples=$$PWD/Examples/.build/release; cd "$$(mktemp -d)"; for example in Readme ChoosingAnEngine OrderOfActions BridgingReactive Dependencies WritingAMiddleware Observing Effects Feedback FeedbackCounter FeedbackList FeedbackSignIn FeedbackTrafficLight Gated Recording Surviving JournalTool LoggingActions Measuring Outputs Plugins Scaling LargeStates Counter MovieBrowser Service Tasks OrderBook; do \
	  timeout 60 "$$examples/$$example" </dev/null; done; rm -r "$$PWD"

lint: ## checks the formatting of Swift and C, what each target imports, and the links, tables and counts of the documents
	@scripts/setup.sh lint
	@scripts/lint.sh
	@scripts/arrows.sh
	@scripts/mutate.py --check
	@scripts/links-test.sh
	@scripts/links.sh
	@scripts/tables.sh
	@scripts/counts.py

format: ## formats Swift and C in place
	@scripts/setup.sh lint
	@scripts/lint.sh --fix

docs: ## builds one site of all references, articles and documents in .build-docs/site; fails on a warning
	@scripts/setup.sh
	scripts/docs.sh $(ARGS)

ci: ## what each change has to pass, about half an hour
	.ci/run

clean: ## removes every build folder
	rm -rf .build .build-* Benchmarks/.build Benchmarks/Tools/.build Examples/.build Tests/Fuzzing/.build
