# Sourced by the other scripts: finds Python, and keeps the project's own environment (.venv) up to date.
# Provides $root, $python (the interpreter in .venv), say, stop and ready.

root="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
venv="$root/.venv"
python="$venv/bin/python"
stamp="$venv/installed-from" # written last, so that an interrupted installation is done again

say() { printf '%s\n' "$*"; }
stop() {
  printf '%s: %s\n' "$(basename "$0")" "$*" >&2
  exit 2
}

# The first interpreter of a supported version; PYTHON=... puts another one first.
find_python() {
  local candidate
  for candidate in ${PYTHON:+"$PYTHON"} python3 python3.13 python3.12 python3.11; do
    if "$candidate" -c 'import sys; sys.exit(not (3, 11) <= sys.version_info < (3, 14))' 2>/dev/null; then
      command -v "$candidate"
      return
    fi
  done
  stop "needs Python 3.11, 3.12 or 3.13, and python3 is $(python3 --version 2>&1 || true)." \
    "Install one of them, or name it: PYTHON=/path/to/python3.12 $0"
}

# What the installation depends on: the project file, and where the project lies.
fingerprint() {
  "$python" - "$root" <<'END'
import hashlib, pathlib, sys
root = sys.argv[1]
print(hashlib.sha256(pathlib.Path(root, "pyproject.toml").read_bytes() + root.encode()).hexdigest())
END
}

# Create .venv if it is missing or was left half-made.
make_venv() {
  if "$python" -c 'import pip' 2>/dev/null; then
    return
  fi
  local base
  base="$(find_python)"
  say "Creating .venv with $("$base" --version) …"
  "$base" -m venv --clear "$venv" || stop "could not create .venv (on Debian and Ubuntu: install python3-venv)"
}

# Create and fill .venv. The second time this takes a blink.
ready() {
  make_venv
  local wanted
  wanted="$(fingerprint)"
  if [[ -f "$stamp" && "$(cat "$stamp")" == "$wanted" ]]; then
    return
  fi
  rm -f "$stamp"
  say "Installing xenobalance and what it needs into .venv (a few minutes the first time) …"
  (cd "$root" && PIP_DISABLE_PIP_VERSION_CHECK=1 "$python" -m pip install --quiet -e '.[analysis,lab,cluster,dev]') ||
    stop "the installation failed; what went wrong stands above. Run the script again to go on."
  printf '%s\n' "$wanted" >"$stamp"
}
