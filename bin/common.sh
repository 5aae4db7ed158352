# Shared by the commands in bin/. Sourced, never run.
set -euo pipefail

ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$ROOT"

say() { printf '\033[1m==>\033[0m %s\n' "$*"; }
note() { printf '    %s\n' "$*"; }
fail() { printf '\033[31mearshot: %s\033[0m\n' "$1" >&2; shift; for line in "$@"; do printf '    %s\n' "$line" >&2; done; exit 1; }

# Colours only where a person looks.
if [ ! -t 1 ]; then
    say() { printf '==> %s\n' "$*"; }
    fail() { printf 'earshot: %s\n' "$1" >&2; shift; for line in "$@"; do printf '    %s\n' "$line" >&2; done; exit 1; }
fi

# Swift is the one thing that no Debian package brings.
need_swift() {
    command -v swift >/dev/null && return
    fail "There is no Swift toolchain on the PATH." \
        "Install Swift 6.2 or newer for your system: https://www.swift.org/install/linux/" \
        "Then put its usr/bin folder on the PATH (try: swift --version) and run this again."
}

# minutes:seconds since the shell started
elapsed() { printf '%d:%02d' $((SECONDS / 60)) $((SECONDS % 60)); }

# newer_than STAMP PATH…: is anything under the paths newer than the stamp, or is there no stamp? Folders count, so a removed file is seen too.
newer_than() {
    local stamp=$1
    shift
    [ -e "$stamp" ] || return 0
    [ -n "$(find "$@" -newer "$stamp" -print -quit)" ]
}

# Builds the server in release mode, if a source changed. The stamp carries the time before the build, so that what is edited during a build is built the next time.
build_release() {
    local stamp=.build/earshot-release.stamp product
    newer_than "$stamp" Package.swift Sources || return 0
    say "Building the server in release mode (the first time takes some minutes)"
    mkdir -p .build && touch "$stamp.new"
    # Swift's own libraries go into the programs: 3 MiB less memory when idle, and the machine that runs them needs no toolchain.
    for product in EarshotMediaWorker earshot; do
        swift build -c release --static-swift-stdlib --product "$product" || fail "The server does not build."
    done
    mv "$stamp.new" "$stamp"
}

# Bundles the pages into Web/dist, if a source changed.
build_web() {
    local stamp=.build/earshot-web.stamp sources=(bin/web) path
    # Not Web itself: the build makes dist and node_modules in it.
    for path in Web/*; do case $path in Web/dist | Web/node_modules) ;; *) sources+=("$path") ;; esac done
    [ -d Web/dist ] && ! newer_than "$stamp" "${sources[@]}" && return
    say "Building the pages"
    mkdir -p .build && touch "$stamp.new"
    bin/web build || fail "The pages do not build."
    mv "$stamp.new" "$stamp"
}
