#!/usr/bin/env bash
# Plants faults in a copy of the sources, one at a time, and insists that tests notice each: `./dev faults [NAME...]`.
#
# A fault is NAME.patch in this folder: what is wrong, a line `tests: REGEX` with the tests of CTest that should notice, and
# the change. Only what it touches is compiled again. First, the same tests pass without any fault.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
cd "$here/../.."
copy=$PWD/build-faults
export CCACHE_BASEDIR=$copy CCACHE_NOHASHDIR=true

names=("$@")
if ((!$#)); then
  for patch in "$here"/*.patch; do names+=("$(basename "$patch" .patch)"); done
fi

# The build folder stays, and with it what did not change since the last time.
copy_sources() {
  mkdir -p "$copy"
  find "$copy" -mindepth 1 -maxdepth 1 ! -name build -exec rm -r {} +
  cp -a .clang-format .clang-tidy ./*.md CMakeLists.txt dev bench docs ir jit runtime targets tests "$copy"
}

build() {
  if ! cmake --build "$copy/build" >"$copy/build.log" 2>&1; then
    tail -n 30 "$copy/build.log"
    return 1
  fi
}

# run_tests REGEX LOG
run_tests() { ctest --test-dir "$copy/build" -j2 --stop-on-failure --no-tests=error --output-on-failure -R "$1" >"$2" 2>&1; }

tests_of() { sed -n 's/^tests: //p' "$here/$1.patch"; }

# change NAME [-R]: new times of the files make them compiled.
change() { patch -d "$copy" -p1 --quiet --no-backup-if-mismatch "${@:2}" <"$here/$1.patch"; }

# plant NAME: whether something noticed.
plant() {
  local began=$SECONDS noticed=1
  change "$1"
  build || { echo "$1: does not compile" >&2; exit 1; }
  if run_tests "$(tests_of "$1")" "$copy/$1.log"; then noticed=0; fi
  change "$1" -R
  if ((noticed)); then
    echo "$1: noticed by $(sed -n 's/^.*Test *#[0-9]*: \([^ ]*\) .*\*\*\*.*/\1/p' "$copy/$1.log" | sort -u | head -n 1)" \
      "after $((SECONDS - began)) s"
  else
    echo "$1: NOT NOTICED: $(head -n 1 "$here/$1.patch")" >&2
  fi
  ((noticed))
}

copy_sources
cmake -S "$copy" -B "$copy/build" -G Ninja -DPTOJIT_BENCH=OFF >"$copy/configure.log"
build
all=$(for name in "${names[@]}"; do tests_of "$name"; done | paste -sd '|')
if ! run_tests "$all" "$copy/none.log"; then
  tail -n 40 "$copy/none.log"
  echo 'these tests fail without a fault' >&2
  exit 1
fi
missed=0
for name in "${names[@]}"; do plant "$name" || missed=$((missed + 1)); done
echo "${#names[@]} faults planted, $missed not noticed"
((missed == 0))
