#!/bin/sh
# Verbatim @VERSION@ for linux-@ARCH@: one file. This text unpacks what follows it, once, into a
# private folder, and starts the program there. scripts/packaging/README.md describes the file.

id=@ID@                     # names the folder: the first part of the hash of the list of parts
list_hash=@LIST_HASH@
file_bytes=@FILE_BYTES@
unxz_at=@UNXZ_AT@           # the first byte of the unpacker, gzip
unxz_bytes=@UNXZ_BYTES@
parts_at=@PARTS_AT@         # the first byte of the parts, tar.xz
unpacked_mb=@UNPACKED_MB@
lock_wait_s=300             # for another process that is unpacking

fail() {
  printf 'verbatim: %s\n' "$1" >&2
  exit 1
}

# Refuses a C library for which the parts were not built. Without getconf, the program itself does.
check_glibc() {
  command -v getconf >/dev/null || return 0
  needs='and Verbatim needs glibc 2.36 or later (Debian 12, Ubuntu 24.04)'
  glibc=$(getconf GNU_LIBC_VERSION 2>/dev/null) || fail "this system has no glibc, $needs"
  minor=${glibc#glibc 2.}
  [ "${minor%%[!0-9]*}" -lt 36 ] 2>/dev/null && fail "this system has $glibc, $needs"
}

# Prints the cache folder. Creates it if it is missing.
find_cache() {
  if [ -n "${VERBATIM_CACHE:-}" ]; then
    cache=$VERBATIM_CACHE
  elif [ -n "${CACHE_DIRECTORY:-}" ]; then
    cache=${CACHE_DIRECTORY%%:*} # systemd lists all folders of CacheDirectory=
  elif [ -n "${XDG_CACHE_HOME:-}" ]; then
    cache=$XDG_CACHE_HOME/verbatim
  elif [ -n "${HOME:-}" ]; then
    cache=$HOME/.cache/verbatim
  else
    fail 'there is no home folder to unpack into; set VERBATIM_CACHE to a folder of your own'
  fi
  [ -d "$cache" ] || mkdir -p "$cache" 2>/dev/null ||
    fail "cannot create $cache to unpack into; set VERBATIM_CACHE to a folder of your own"
  # The program's code lies here, so nobody else may change it.
  [ -O "$cache" ] ||
    fail "the cache folder $cache belongs to another user; set VERBATIM_CACHE to a folder of your own"
  [ -z "$(find "$cache" -maxdepth 0 -perm /022)" ] ||
    fail "others may write to the cache folder $cache; run: chmod go-w $cache"
  (cd "$cache" && pwd -P) || fail "cannot enter the cache folder $cache"
}

# Prints what changes if anybody changes a part: sizes, times, owners and modes. The boot is printed
# as well, so that a restart of the machine, perhaps after a power failure, leads to a full check.
describe_parts() {
  cat /proc/sys/kernel/random/boot_id 2>/dev/null
  find "$1" -type f -printf '%P %m %U %s %T@ %C@\n' -o -printf '%P/ %y %m %U\n' 2>/dev/null | sort
}

# Whether each part has its hash and nothing else is there.
are_parts_whole() {
  cd "$1" 2>/dev/null && [ -r parts.sha256 ] || return 1
  [ "$(sha256sum <parts.sha256)" = "$list_hash  -" ] || return 1
  [ "$(find . -type f | wc -l)" -eq "$(($(wc -l <parts.sha256) + 1))" ] || return 1
  [ -z "$(find . \( ! -type f ! -type d \) -o ! -user "$(id -u)" -o -perm /022)" ] || return 1
  sha256sum --check --status parts.sha256 2>/dev/null
}

# Explains why unpacking failed. $1 is what the tools said.
explain() {
  rm -rf "$new"
  free_kb=$(df -Pk "$cache" | read_free_kb)
  reason=$(printf '%s' "$1" | grep -m 1 .)
  case $1 in
    *'No space left'* | *'quota exceeded'*)
      fail "no space left in $cache: unpacking takes $unpacked_mb MB, $((free_kb / 1000)) MB are free" ;;
    *gzip:* | *'cannot unpack:'*) fail "this file is damaged; copy it again ($reason)" ;;
    *) fail "cannot unpack into $cache: $reason" ;;
  esac
}

# Prints the free space: the fourth field in the second line that df writes.
read_free_kb() {
  read -r _ && read -r _ _ _ free _ && printf '%s' "$free"
}

check_tools() {
  for tool in find flock gzip sha256sum sort tar; do
    command -v "$tool" >/dev/null || fail "unpacking needs $tool, which this machine lacks"
  done
}

check_file() {
  [ "$(uname -m)" = @MACHINE@ ] ||
    fail "this file is for @MACHINE@ processors, and this machine has $(uname -m)"
  bytes=$(wc -c <"$0") || fail "cannot read $0"
  [ "$bytes" -eq "$file_bytes" ] ||
    fail "this file is incomplete: it has $bytes of $file_bytes bytes; copy it again"
}

# Unpacks into $cache/unpacking and moves the result to its name. The caller holds the lock.
unpack() {
  check_file
  [ -t 2 ] && printf 'verbatim: unpacking %s MB into %s, once\n' "$unpacked_mb" "$cache" >&2
  new=$cache/unpacking
  trap 'rm -rf "$new"' EXIT
  trap 'exit 1' HUP INT TERM
  rm -rf "$new"
  said=$( (mkdir "$new" "$new/parts" &&
    tail -c +"$unxz_at" "$0" | head -c "$unxz_bytes" | gzip -d >"$new/unxz" &&
    chmod 700 "$new/unxz") 2>&1) || explain "$said"
  # A file system that forbids programs says so here.
  [ -x "$new/unxz" ] ||
    fail "programs may not run from $cache (noexec); set VERBATIM_CACHE to a folder where they may"
  said=$( (tail -c +"$parts_at" "$0" | "$new/unxz" |
    tar -x -f - -C "$new/parts" --no-same-owner --no-same-permissions) 2>&1)
  (are_parts_whole "$new/parts") || explain "${said:-cannot unpack: a part has the wrong hash}"
  said=$("$new/parts/bin/node" --version 2>&1) ||
    fail "this system cannot run Node, which needs glibc 2.36 and libstdc++: $said"
  # Running processes keep what they have loaded of a folder that was changed.
  [ -d "$folder" ] && mv "$folder" "$new/replaced"
  mv "$new/parts" "$folder" || fail "cannot move the parts to $folder"
  remove_others
}

# Removes folders of other versions, unless a process still runs from them.
remove_others() {
  for other in "$cache"/v-*; do
    { [ -d "$other" ] && [ "$other" != "$folder" ]; } || continue
    flock --exclusive --nonblock "$other" rm -rf "$other" "$other.stamp"
  done
}

# Prints the folder with the parts. Unpacks them if they are missing or changed.
prepare() {
  umask 077
  export LC_ALL=C
  check_glibc # before anything is created
  cache=$(find_cache) || exit 1
  folder=$cache/v-$id
  stamp=$folder.stamp
  if ! describe_parts "$folder" | cmp -s - "$stamp"; then
    check_tools
    exec 8<"$cache"
    flock --timeout "$lock_wait_s" 8 ||
      fail "another process has been unpacking into $cache for $lock_wait_s s; end it and try again"
    # Another first start may have unpacked in the meantime.
    (are_parts_whole "$folder") || unpack
    # A cache that cannot be written is checked in full each time.
    (describe_parts "$folder" >"$stamp") 2>/dev/null
  fi
  printf '%s' "$folder"
}

# The lock tells a newer version that this one is in use. It lasts as long as the process. A newer
# version that removes the folder before the lock is taken leads to another try.
for verbatim_try in 1 2 3; do
  verbatim_folder=$(prepare) || exit 1
  { command exec 9<"$verbatim_folder" && flock --shared 9; } 2>/dev/null
  [ "$verbatim_folder/bin/node" -ef /proc/self/fd/9/bin/node ] && break
done
[ "$verbatim_try" = 3 ] && [ ! -e "$verbatim_folder/bin/node" ] &&
  fail "another process keeps removing $verbatim_folder; try again"
# What the program calls itself in the hints that it prints, and what a supervisor has to start.
VERBATIM_PROGRAM=$0
[ "$(command -v "${0##*/}")" = "$0" ] && VERBATIM_PROGRAM=${0##*/}
case $0 in
  /*) VERBATIM_FILE=$0 ;;
  *) VERBATIM_FILE=$PWD/$0 ;;
esac
export VERBATIM_PROGRAM VERBATIM_FILE
exec "$verbatim_folder/bin/node" "$verbatim_folder/app/verbatim.js" "$@"
# For what checks the syntax of shell scripts: nothing below is one.
: <<'@@'
