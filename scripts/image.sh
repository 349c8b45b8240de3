#!/usr/bin/env bash
# Writes a container image that holds the static binary and nothing else, as an
# OCI archive in build/images: with buildah, which needs no daemon. Docker (25
# and later) and podman load it. Other systems than Linux have no image.
# usage: SOURCE_DATE_EPOCH=SECONDS scripts/image.sh OS ARCH VERSION BINARY
set -euo pipefail
[ "$1" = linux ] || exit 0
arch=$2 version=$3 binary=$(readlink -f "$4")
cd "$(dirname "$0")/.."
mkdir -p build/images
out=$PWD/build/images/openclaw-auth_${version}_linux_$arch.oci.tar
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp "$binary" "$work/openclaw-auth"
# 1000 is the user of OpenClaw's own image and of most single-user hosts; the
# credentials can be read by their owner alone.
cat > "$work/Containerfile" <<'CONTAINERFILE'
FROM scratch
COPY --chmod=755 openclaw-auth /usr/bin/openclaw-auth
ENV OPENCLAW_STATE_DIR=/openclaw
USER 1000:1000
ENTRYPOINT ["/usr/bin/openclaw-auth"]
CONTAINERFILE
storage=(--storage-driver vfs --root "$work/root" --runroot "$work/run")
tag=openclaw-auth:$version
buildah "${storage[@]}" bud --quiet --isolation chroot --timestamp "$SOURCE_DATE_EPOCH" --platform "linux/$arch" \
  --label org.opencontainers.image.title=openclaw-auth --label "org.opencontainers.image.version=$version" \
  --label org.opencontainers.image.licenses=MIT --tag "$tag" "$work" > /dev/null
buildah "${storage[@]}" push --quiet "$tag" "oci:$work/image:$version"
# Not oci-archive:, whose entries have the time of their making.
tar --sort=name --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 --numeric-owner --mode=u=rwX,go=rX -C "$work/image" -cf "$out" .
