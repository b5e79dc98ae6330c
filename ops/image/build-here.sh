#!/usr/bin/env bash
# Builds the image without a registry of images: both bases are made from Debian's archive, the build has the Node.js of the lock and the npm of this machine.
# Needs root, buildah, mmdebstrap, npm and an installed checkout (npm run check installs). Usage: ops/image/build-here.sh [NAME], myregistry unless given.
set -euo pipefail
cd "$(dirname "$0")/../.."
name=${1:-myregistry}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export BUILDAH_ISOLATION=chroot

# What a shell, the C++ library of Node.js and rsync need, without documents and translations.
without=()
for folder in doc man locale info; do without+=("--dpkgopt=path-exclude=/usr/share/$folder/*"); done
mmdebstrap --variant=custom "${without[@]}" '--dpkgopt=path-include=/usr/share/doc/*/copyright' \
  --include=base-files,base-passwd,libc-bin,diffutils,dpkg,dash,coreutils,sed,grep,libstdc++6,usr-is-merged,init-system-helpers,perl-base,rsync \
  --hook-dir=/usr/share/mmdebstrap/hooks/merged-usr bookworm "$work/base.tar"
base=$(buildah from scratch)
buildah add --quiet "$base" "$work/base.tar" / >/dev/null
buildah commit --quiet --rm "$base" "localhost/$name-base" >/dev/null

modules=$(dirname "$(readlink -f node_modules/.bin/node)")
build=$(buildah from "localhost/$name-base")
buildah copy --quiet "$build" "$modules/node" /usr/bin/node >/dev/null
buildah copy --quiet "$build" "$(npm root -g)/npm" /usr/lib/node_modules/npm >/dev/null
buildah run "$build" -- ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/bin/npm
# Certificates with which npm trusts its registry here.
if [ -f /etc/ssl/certs/ca-certificates.crt ]; then
  buildah copy --quiet "$build" /etc/ssl/certs/ca-certificates.crt /etc/ssl/certs/ca-certificates.crt >/dev/null
  buildah config --env NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt "$build"
fi
buildah commit --quiet --rm "$build" "localhost/$name-build" >/dev/null

buildah build --format docker --layers=false --ulimit nofile=20000:20000 --build-arg "BUILD_BASE=localhost/$name-build" --build-arg "BASE=localhost/$name-base" \
  -f ops/image/Containerfile -t "localhost/$name" .
buildah images "localhost/$name"
