#!/bin/sh
# Makes a container image from the single file, without a daemon, as an archive for `podman load` or
# `docker load`:
#   sh scripts/packaging/image.sh dist/verbatim-linux-x64 amd64 dist/verbatim-image-amd64.tar
# Needs Debian 12, buildah, and xz-utils; for the other processor also `dpkg --add-architecture`. The image
# has the parts of the file and five Debian packages. No program of it runs while it is made, so any machine
# makes it for any processor.
set -eu

file=$(realpath "$1")
arch=$2
out=$(realpath "$3")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
root=$work/root
program=/opt/verbatim
data=/var/lib/verbatim
user=10001

# The Debian packages that Node needs, and a shell for `verbatim`. apt checks their signatures as a user
# of its own.
chmod 755 "$work"
mkdir -p "$work/packages" "$root$program" "$root/usr/local/bin" "$root$data" "$root/tmp" "$root/etc"
chown _apt "$work/packages"
(cd "$work/packages" && apt-get download -qq \
  "libc6:$arch" "libgcc-s1:$arch" "libstdc++6:$arch" "dash:$arch" base-files)
for package in "$work/packages"/*.deb; do dpkg-deb -x "$package" "$root"; done

parts_at=$(sed -n '/^parts_at=/{s/parts_at=\([0-9]*\).*/\1/p;q}' "$file")
tail -c +"$parts_at" "$file" | xz -dc | tar -x -f - -C "$root$program" --no-same-owner
(cd "$root$program" && sha256sum --check --quiet parts.sha256)
printf '#!/bin/dash\nexec %s/bin/node %s/app/verbatim.js "$@"\n' "$program" "$program" \
  > "$root/usr/local/bin/verbatim"
chmod 755 "$root/usr/local/bin/verbatim"
chmod 1777 "$root/tmp"
echo "verbatim:x:$user:$user::$data:/bin/dash" > "$root/etc/passwd"
echo "verbatim:x:$user:" > "$root/etc/group"
chown "$user:$user" "$root$data"

# In a store of its own, which needs no overlay file system.
build() { buildah --root "$work/store" --runroot "$work/run" --storage-driver vfs "$@"; }
# HEALTHCHECK is in Docker's format only.
image=$(build from --format docker scratch)
build copy --quiet "$image" "$root" / > /dev/null
build config --arch "$arch" --user "$user:$user" --workingdir "$data" --volume "$data" --port 8080 \
  --env PATH=/usr/local/bin --env VERBATIM_PROGRAM=verbatim --env "VERBATIM_DB=$data/verbatim.db" \
  --entrypoint '["verbatim"]' --cmd start \
  --healthcheck 'CMD verbatim health' --healthcheck-interval 30s --healthcheck-timeout 10s \
  --healthcheck-start-period 60s "$image"
rm -f "$out"
build commit --quiet --format docker "$image" "docker-archive:$out:verbatim:latest" > /dev/null
echo "$out  $(du -m "$out" | cut -f1) MB"
