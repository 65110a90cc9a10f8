# Sourced by ./test --python: the package in a virtual environment with PyPI's PyTorch. Needs setup.sh.

PYTHON_PACKAGES=(python3-venv)
TORCH=torch==2.13.0
TORCH_CPU_INDEX=https://download.pytorch.org/whl/cpu

# Says why and succeeds: what PyPI has is not part of the project.
skip_python() {
  echo "[  SKIPPED ] the Python package with PyPI's PyTorch: $*"
  exit 0
}

# pip_install PIP LOG ARGS...: what is there already is not downloaded again.
pip_install() {
  local pip=$1 log=$2
  shift 2
  "$pip" install -q --disable-pip-version-check "$@" >>"$log" 2>&1 ||
    skip_python "'pip install $*' fails: $(tail -n 1 "$log"); see $log"
}

# Installs what is missing, and $TORCH in place of another version. The CPU's own wheels of PyTorch
# are smaller; pip prefers them if it reaches them.
install_requirements() {
  pip_install "$@" numpy networkx scikit-build-core mypy
  pip_install "$@" "$TORCH" --extra-index-url "$TORCH_CPU_INDEX" --retries 1
  pip_install "$@" torch_geometric
}

# test_python ARGS...: builds the wheel, installs it and runs its tests.
test_python() {
  local venv="$root/build/python-venv" log="$root/build/python.log" start=$SECONDS
  install_packages "${BUILD_PACKAGES[@]}" "${PYTHON_PACKAGES[@]}"
  mkdir -p "$root/build" && : >"$log"
  [ -x "$venv/bin/pip" ] || python3 -m venv "$venv" >>"$log" 2>&1 ||
    skip_python "no virtual environment can be made; see $log"
  install_requirements "$venv/bin/pip" "$log"
  echo "$me: building the package for $("$venv/bin/python" -c 'import torch; print("PyTorch", torch.__version__)')" >&2
  (cd "$root" && "$venv/bin/pip" install --no-deps --force-reinstall . >>"$log" 2>&1) ||
    fail "the package does not build; see $log"
  echo "$me: built and installed in $((SECONDS - start)) s" >&2
  (cd "$root" && "$venv/bin/mypy") || fail "the package's types do not fit"
  # Away from the tree, so that the installed package is the one that is tested.
  cd "$root/python/tests" || fail "no python/tests"
  PYTHONDONTWRITEBYTECODE=1 exec "$venv/bin/python" -m unittest discover -s "$root/python/tests" "$@"
}
