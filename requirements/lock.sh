#!/usr/bin/env bash
# Make every lock file anew, from PyPI, with uv. Each lock holds for Linux and macOS; core and dev for Python
# 3.11 to 3.13, the worlds' for Python 3.11.
set -euo pipefail
cd "$(dirname "$0")/.."
uv=${UV:-uv}

compile() {
    "$uv" pip compile --quiet --no-config --default-index https://pypi.org/simple --no-emit-index-url \
        --generate-hashes --no-annotate --custom-compile-command "make lock" --upgrade "$@"
}

core=(--universal --python-version 3.11 --fork-strategy fewest)
compile "${core[@]}" requirements/build.in -o sim/installs/_build.lock
compile "${core[@]}" pyproject.toml -o requirements/core.lock
compile "${core[@]}" pyproject.toml requirements/dev.in -o requirements/dev.lock

# Wheels only, but for bddl, which has none. pip reads the second option as an exception from the first, and
# only in this order.
libero=sim/installs/libero.lock
compile --python-version 3.11 --override requirements/libero.overrides requirements/libero.in -o "$libero"
printf '%s\n' '--only-binary :all:' '--no-binary bddl' "$(cat "$libero")" >"$libero.part"
mv "$libero.part" "$libero"
