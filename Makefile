# Task names only: what each does lives in CMakePresets.json, tools/ and CMakeLists.txt.

.DEFAULT_GOAL := help
.PHONY: help demo build test check bench clean

JOBS := $(shell nproc)
DEMO_REPORT := tests/data/h200/tour.ncu-rep.gz
DEMO_LAB := gemm n=1024 --emulate --on h200-sxm --seed 1

help:
	@echo "make demo    install what is missing, build, analyse a recording made on a real GPU, and emulate the lab's matrix products"
	@echo "make test    install what is missing, build, and run the suite (the program and its inputs with sanitizers too)"
	@echo "make build   the program alone: build/release/bin/ridge"
	@echo "make check   every check of tools/check: format, lint, layers, the other presets (all unit tests with sanitizers), fuzzing"
	@echo "make bench   our own speed"
	@echo "make clean   remove build/"

demo: build
	@echo
	build/release/bin/ridge report $(DEMO_REPORT)
	@echo
	build/release/bin/ridge lab $(DEMO_LAB)

build:
	@tools/setup build
	@cmake --preset release --log-level=WARNING
	@cmake --build build/release --target ridge

# Two presets in turn, each with all cores: they would only slow each other down.
test:
	@tools/setup test
	@tools/test release asan-ubsan

check:
	@tools/setup check
	@tools/check

bench:
	@tools/setup bench
	@cmake --preset release --log-level=WARNING
	@cmake --build build/release --target ridge ridge_bench
	@tools/bench

clean:
	rm -rf build
