#!/bin/sh
# What continuous integration runs after "make test".  Each step prints its seconds; the first that fails ends it.
set -u
cd "$(dirname "$0")"
step() {
	name=$1
	shift
	start=$(date +%s)
	log=$(mktemp)
	if "$@" >"$log" 2>&1; then
		printf '%4ds  %s\n' "$(($(date +%s) - start))" "$name"
		rm -f "$log"
	else
		cat "$log"
		printf '%4ds  %s: FAILED\n' "$(($(date +%s) - start))" "$name"
		exit 1
	fi
}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
core="./platform ./gather ./process"
pure="$core ./draw ./draw/soft ./draw/text ./draw/html ./input ./console ."

formatted() { bad=$(gofmt -l .); [ -z "$bad" ] || { echo "not formatted: $bad"; return 1; }; }
purego() { CGO_ENABLED=0 go test -count=1 -tags purego $core && go test -count=1 -short -tags purego ./draw/... ./input ./console ./examples/... ./internal/... .; }
off() { CGO_ENABLED=0 go vet -tags iprof_off $pure && go test -count=1 -tags iprof_off ./...; } # pictures are of replays
race() { go test -count=1 -race -timeout 20m $pure; }
debug() { CGO_ENABLED=0 go test -count=1 -gcflags='-N -l' $core && CGO_ENABLED=0 go test -count=1 -gcflags='all=-N -l' -run 'Row|Name|Defect|Frames' .; }
gc() { GOGC=1 CGO_ENABLED=0 go test -count=1 $core; }
single() { GOMAXPROCS=1 CGO_ENABLED=0 go test -count=1 $core; }
mixed() { IPROF_MIX=20s go test -count=1 -race -run SoakMixed .; }
arm64() { # under an emulator: what differs by processor is there, and what a coarse clock shows
	emulator=$(command -v qemu-aarch64 || command -v qemu-aarch64-static) || { echo "no qemu-aarch64; tools/packages check"; return 1; }
	CGO_ENABLED=0 GOARCH=arm64 go test -count=1 -short -exec "$emulator" $core
}
bits32() { # where 64-bit words have to be aligned by hand; the tests of what is shared, as most take minutes without assembly
	CGO_ENABLED=0 GOARCH=386 go test -count=1 -short ./platform ./process &&
		CGO_ENABLED=0 GOARCH=386 go test -count=1 -short -run 'OfADemotedZone|DemotedZonesAre|AreTheOracles|BackWhileDemoted|EventsOverwrite|CountsAgree|Choosing|ChargesAgree' ./gather
}
windows() { CGO_ENABLED=1 CC=x86_64-w64-mingw32-gcc GOOS=windows GOARCH=amd64 go build -o "$scratch/glviewer.exe" ./cmd/glviewer; }
nopreempt() { GODEBUG=asyncpreemptoff=1 CGO_ENABLED=0 go test -count=1 $core; }
benches() { CGO_ENABLED=0 go test -run '^$' -bench . -benchtime 1x $core . ./draw && go test -run '^$' -bench . -benchtime 1x ./draw/gl; }
rivals() { (cd bench && go vet ./... && go test -count=1 ./... && go run . -rounds 1 && go run ./flake -pixels 16 -runs 1); }
hosts() { (cd examples/hosts && go vet ./... && IPROF_GL=must go test -count=1 ./...); }
cross() {
	for target in $(go tool dist list); do
		case $target in
		android/* | ios/*) continue ;; # need the vendor's linker
		esac
		echo "$target"
		CGO_ENABLED=0 GOOS=${target%/*} GOARCH=${target#*/} go build . ./platform ./gather ./process ./draw/... ./input ./console || return 1
	done
}

step "gofmt" formatted
step "go vet" go vet ./...
step "staticcheck" go run honnef.co/go/tools/cmd/staticcheck@v0.8.1 ./...
step "tag purego" purego
step "tag iprof_off" off
step "race detector" race
step "-gcflags='-N -l'" debug
step "GOGC=1" gc
step "GOMAXPROCS=1" single
step "asyncpreemptoff" nopreempt
step "benchmarks run" benches
step "everything from everywhere, 20 s" mixed
step "rivals run" rivals
step "hosts of the overlay" hosts
step "every target builds" cross
if [ "$(uname -sm)" = "Linux x86_64" ]; then
	step "linux/386" bits32
fi
if [ "$(uname -s)" = Linux ]; then
	step "linux/arm64, emulated" arm64
	step "the viewer builds for Windows" windows
fi
