# Sourced by the launchers: installs missing packages, configures and builds. Needs $root and $me.

BUILD_PACKAGES=(g++ cmake ninja-build libtorch-dev libgloo-dev libopenblas0-openmp libhwy-dev libcli11-dev
  nlohmann-json3-dev libfmt-dev zlib1g-dev librandom123-dev libnauty2-dev
  coinor-libclp-dev liblemon-dev)
# Molecules need these (19 s, 229 MB); all else is built without them. FLOYDNET_MOLECULES=no leaves
# them out.
MOLECULE_PACKAGES=(librdkit-dev rdkit-data libboost-dev)
TEST_PACKAGES=(libgtest-dev libgmock-dev libssl-dev doxygen python3-torch python3-numpy
  python3-sklearn procps iproute2)

fail() {
  echo "$me: $*" >&2
  exit 1
}

missing_packages() {
  local package
  for package in "$@"; do
    [ "$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null)" = installed ] ||
      echo "$package"
  done
}

# install_packages PACKAGE...: those that are missing, as root or through sudo.
install_packages() {
  local missing as_root=()
  command -v dpkg-query >/dev/null || fail "this is not a Debian system; it needs: $*"
  mapfile -t missing < <(missing_packages "$@")
  [ ${#missing[@]} -gt 0 ] || return 0
  if [ "$(id -u)" -ne 0 ]; then
    sudo -n true 2>/dev/null || { [ -t 0 ] && command -v sudo >/dev/null; } ||
      fail "missing packages and no right to install them; as root: apt-get install ${missing[*]}"
    as_root=(sudo)
  fi
  local log="$root/build/packages.log"
  mkdir -p "$root/build" 2>/dev/null || fail "cannot write to $root/build"
  echo "$me: installing ${missing[*]}" >&2
  # A source that does not answer is no reason to give up: installing tells whether it matters.
  { "${as_root[@]}" apt-get -o DPkg::Lock::Timeout=300 update || true
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
      apt-get -o DPkg::Lock::Timeout=300 install -y --no-install-recommends "${missing[@]}"; } \
      </dev/null >"$log" 2>&1 ||
    fail "could not install ${missing[*]}; see $log"
}

# install_optional PACKAGE...: the same, but what cannot be installed is tried once, then left out.
install_optional() {
  local missing skipped="$root/build/molecules.skipped"
  [ "${FLOYDNET_MOLECULES-yes}" != no ] && [ ! -e "$skipped" ] || return 0
  mapfile -t missing < <(missing_packages "$@")
  [ ${#missing[@]} -gt 0 ] || return 0
  (install_packages "${missing[@]}") && return 0
  echo "$me: continuing without molecules; to try again, remove $skipped" >&2
  mkdir -p "$root/build" 2>/dev/null && : >"$skipped"
}

# Shows ninja's "[n/m]" as one line that counts up on a terminal, and keeps everything in a log.
show_progress() {
  local log=$1 line announced=
  while IFS= read -r line; do
    printf '%s\n' "$line" >>"$log"
    [[ $line =~ ^\[([0-9]+/[0-9]+)\] ]] || continue
    [[ $line == *"Re-checking globbed"* || $line == *"Re-running CMake"* ]] && continue
    if [ -t 2 ]; then
      printf '\r%s: building %s ' "$me" "${BASH_REMATCH[1]}" >&2
    elif [ -z "$announced" ]; then
      echo "$me: building" >&2
    fi
    announced=1
  done
  [ -z "$announced" ] || [ ! -t 2 ] || printf '\r\033[K' >&2
}

# Says --fresh if the folder was configured for a checkout at another place.
stale_cache() {
  [ ! -f "$1/CMakeCache.txt" ] || grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$root" "$1/CMakeCache.txt" ||
    echo --fresh
}

# build PRESET [TARGET...]: configures where that is due, builds what changed. Without a target that is
# everything, and packages for the tests may have come since the last time.
build() {
  local preset=$1 folder="$root/build/$1" log
  shift
  log="$folder/build.log"
  mkdir -p "$folder" 2>/dev/null && [ -w "$folder" ] || fail "cannot write to $folder"
  exec 9>"$folder/.lock"
  flock -n 9 || {
    echo "$me: waiting for another build in $folder" >&2
    flock 9
  }
  : >"$log"
  if [ $# -eq 0 ] || [ ! -f "$folder/build.ninja" ] || [ -n "$(stale_cache "$folder")" ]; then
    (cd "$root" && cmake --preset "$preset" $(stale_cache "$folder")) >>"$log" 2>&1 ||
      fail "configuring failed; see $log"
  fi
  (cd "$root" && cmake --build "$folder" ${1:+--target "$@"} 2>&1) | show_progress "$log"
  if [ "${PIPESTATUS[0]}" -ne 0 ]; then
    grep -m 5 -E 'error:|CMake Error|undefined reference|No space left' "$log" >&2
    fail "building failed; see $log"
  fi
  exec 9>&-
}
