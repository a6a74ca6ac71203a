#!/usr/bin/env bash
# Print the path of a CPython of the given version: tools/find_python.sh 3.12
# Looked at in this order: pythonX.Y, pyenv's versions, python3, python.
set -euo pipefail

version=${1:?usage: find_python.sh X.Y}

candidates() {
    command -v "python$version" || true
    local root
    for root in "${PYENV_ROOT:-}" "${HOME:-}/.pyenv" "$(pyenv root 2>/dev/null || true)"; do
        # The newest patch release first; a pattern without a match stays as it is, and is found not to run.
        printf '%s\n' "$root"/versions/"$version"*/bin/python | sort -Vr
    done
    command -v python3 || true
    command -v python || true
}

# A shim may exist for a version that is not installed, and a system Python may lack what makes virtual environments.
fits() {
    "$1" - "$version" <<'PYTHON' 2>/dev/null
import ensurepip, platform, sys, venv
wanted = tuple(map(int, sys.argv[1].split(".")))
sys.exit(sys.version_info[:2] != wanted or platform.python_implementation() != "CPython")
PYTHON
}

while read -r candidate; do
    if fits "$candidate"; then
        "$candidate" -c 'import sys; print(sys.executable)'
        exit 0
    fi
done < <(candidates)

echo "No CPython $version with venv and pip was found: not as python$version, in pyenv's versions, as python3 or as python." >&2
echo "Install it, for instance with 'pyenv install $version'." >&2
exit 1
