#!/bin/sh
# Installs pgvector for the PostgreSQL of Debian that is installed, for tests of an index on PostgreSQL:
#   sh scripts/install-pgvector.sh
# Debian has a package of it from release 13 on. Before, it is built from the source package of that
# release, which takes half a minute. The mirror is the one that apt uses already, and apt checks what
# it fetches. Without apt, or without that mirror, it says so and fails; the tests then skip themselves.
set -eu

RELEASE_WITH_SOURCES=trixie

folder=$(ls -d /usr/lib/postgresql/*/bin 2> /dev/null | sort -V | tail -n 1)
if [ -z "$folder" ]; then
  echo "PostgreSQL is not installed. First: sh scripts/install-packages.sh /usr/lib/postgresql:postgresql" >&2
  exit 1
fi
config=$folder/pg_config
control=$("$config" --sharedir)/extension/vector.control
if [ -e "$control" ]; then
  exit 0
fi
as_root=''
if [ "$(id -u)" -ne 0 ]; then
  as_root=sudo
fi
$as_root apt-get update -qq > /dev/null

version=$(basename "$(dirname "$folder")")
install=$(dirname "$0")/install-packages.sh
if apt-cache show "postgresql-$version-pgvector" > /dev/null 2>&1; then
  exec sh "$install" "$control:postgresql-$version-pgvector"
fi

sh "$install" make cc:gcc ar:binutils /usr/include/stdlib.h:libc6-dev
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# apt drops its rights to read and write here.
chmod 755 "$work"
mkdir -p "$work/lists/partial" "$work/source" "$work/headers"

# The repository of Debian itself, with the release that has the sources, in a configuration of its own.
mirror=$(apt-get indextargets --format '$(REPO_URI) $(LABEL) $(COMPONENT)' 'Created-By: Packages' |
  sed -n 's/ Debian main$//p' | head -n 1)
keyring=$(find /usr/share/keyrings -name 'debian-archive-keyring.*' | head -n 1)
if [ -z "$mirror" ] || [ -z "$keyring" ]; then
  echo "apt has no repository of Debian. Install pgvector 0.8 or later yourself." >&2
  exit 1
fi
echo "deb-src [signed-by=$keyring] $mirror $RELEASE_WITH_SOURCES main" > "$work/sources.list"
elsewhere="-o Dir::Etc::SourceList=$work/sources.list -o Dir::Etc::SourceParts=/dev/null
  -o Dir::State::Lists=$work/lists -o APT::Sandbox::User=root"
if [ "$(id -u)" -ne 0 ]; then elsewhere="$elsewhere -o Debug::NoLocking=1"; fi
cd "$work/source"
# shellcheck disable=SC2086 # The options are separate arguments.
apt-get $elsewhere update -qq > /dev/null
# shellcheck disable=SC2086
apt-get $elsewhere -qq source --download-only pgvector > /dev/null
tar -xf pgvector_*.orig.tar.*

# The headers of exactly this server. Their package would bring a compiler of its own, so only its files
# are used, and nothing is installed.
cd "$work/headers"
exact=$(dpkg-query --show --showformat '${Version}' "postgresql-$version")
apt-get -qq -o APT::Sandbox::User=root download "postgresql-server-dev-$version=$exact" > /dev/null
dpkg -x ./*.deb .
headers=$work/headers$("$config" --includedir-server)

cd "$work/source"/pgvector-*
# OPTFLAGS: without instructions that only this processor has.
set -- make -s with_llvm=no OPTFLAGS='' PG_CONFIG="$config" includedir_server="$headers"
"$@" > /dev/null
$as_root "$@" install > /dev/null
