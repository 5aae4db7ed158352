# Shared by the commands in bin/. Sourced, never run.
set -euo pipefail

ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$ROOT"

say() { printf '\033[1m==>\033[0m %s\n' "$*"; }
note() { printf '    %s\n' "$*"; }
fail() { printf '\033[31mearshot: %s\033[0m\n' "$1" >&2; shift; for line in "$@"; do printf '    %s\n' "$line" >&2; done; exit 1; }

# Colours on a terminal only.
if [ ! -t 1 ]; then
    say() { printf '==> %s\n' "$*"; }
    fail() { printf 'earshot: %s\n' "$1" >&2; shift; for line in "$@"; do printf '    %s\n' "$line" >&2; done; exit 1; }
fi

# Swift is the only dependency without a Debian package.
need_swift() {
    command -v swift >/dev/null && return
    fail "Swift was not found on the PATH." \
        "Install Swift 6.2 or newer for your system: https://www.swift.org/install/linux/" \
        "Then add its usr/bin folder to the PATH (check with: swift --version) and run this command again."
}

# What every debug build is made with; other flags would build everything again. An import that Package.swift does not name is an
# error. C and C++ are optimised in debug builds too: BoringSSL's scrypt is C++, and without optimisation a new demo needs 27 s
# of it, with optimisation 2 s.
debug_flags=(--explicit-target-dependency-import-check error -Xcc -O2 -Xcxx -O2)

# minutes:seconds since the shell started
elapsed() { printf '%d:%02d' $((SECONDS / 60)) $((SECONDS % 60)); }

# newer_than STAMP PATH…: succeeds if anything below the paths is newer than the stamp, or if there is no stamp.
# Folders count too, so that a removed file is noticed.
newer_than() {
    local stamp=$1
    shift
    [ -e "$stamp" ] || return 0
    [ -n "$(find "$@" -newer "$stamp" -print -quit)" ]
}

# Builds the server in release mode if a source changed. The stamp has the time before the build, so that a file edited during
# the build is built next time.
build_release() {
    local stamp=.build/earshot-release.stamp product
    newer_than "$stamp" Package.swift Sources || return 0
    say "Building the server in release mode (takes some minutes the first time)"
    mkdir -p .build && touch "$stamp.new"
    # Link Swift's libraries statically: 3 MiB less memory when idle, and no toolchain is needed to run the programs.
    for product in EarshotMediaWorker earshot; do
        swift build -c release --static-swift-stdlib --product "$product" || fail "The server could not be built." "Fix the errors above and run this command again."
    done
    mv "$stamp.new" "$stamp"
}

# Bundles the pages into Web/dist if a source changed.
build_web() {
    local stamp=.build/earshot-web.stamp sources=(bin/web) path
    # Not Web itself: the build creates dist and node_modules in it.
    for path in Web/*; do case $path in Web/dist | Web/node_modules) ;; *) sources+=("$path") ;; esac done
    [ -d Web/dist ] && ! newer_than "$stamp" "${sources[@]}" && return
    say "Building the pages"
    bin/web build || fail "The pages could not be built." "Fix the errors above and run this command again."
}
