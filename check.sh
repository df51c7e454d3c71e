#!/bin/sh
# What continuous integration runs after "make test": what "go test" alone does not find, on this processor and on others.
#
#   check.sh         "make check"
#   check.sh long    the rest, in "make long": more settings, nested modules, emulated processors
#
# "go vet" is asked once, of all packages, and not again by each "go test". Steps that measure time run alone, and most
# others in pairs. Each step prints its seconds; the first that fails ends it. With IPROF_AGAIN=1 a step that fails runs
# again, twice at most: what then passes is printed as unsteady.
# The same tests under one more setting each, at full length, are in "make soak".
set -u
cd "$(dirname "$0")"
step() { # step NAME COMMAND
	name=$1
	shift
	start=$(date +%s)
	log=$(mktemp)
	if "$@" >"$log" 2>&1 || again "$@"; then
		printf '%4ds  %s\n' "$(($(date +%s) - start))" "$name"
		grep 'SKIPPED' "$log"
		rm -f "$log"
	else
		cat "$log"
		printf '%4ds  %s: FAILED\n' "$(($(date +%s) - start))" "$name"
		rm -f "$log"
		exit 1
	fi
}
again() { # again COMMAND: twice at most
	for _ in ${IPROF_AGAIN:+1 2}; do
		cat "$log"
		"$@" >"$log" 2>&1 && echo "UNSTEADY: $name: it failed above, and passed when run again" && return
	done
	return 1
}
beside() { # beside "STEPS" "STEPS": two lists of steps at once
	(eval "$1") &
	first=$!
	(eval "$2") || { wait "$first"; exit 1; }
	wait "$first" || exit 1
}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
core="./platform ./internal/measure ./internal/oracle ./process"
pure="$core ./draw ./viewer ./draw/soft ./draw/text ./draw/html ./input ./console ./capture ./iproftest ./debug ./export ./auto ./wait . ./internal/integration/api"

formatted() { bad=$(gofmt -l .); [ -z "$bad" ] || { echo "not formatted: $bad"; return 1; }; }
# What a setting cannot change is left out under it. make soak has that, too, each at full length.
# Of process it is what only computes: these tests share a session, or read the running program.
shared='Update|Goroutine|Read|Dump|Reset|Undo|Hold|OracleLive|Sinks|AtOnce|NoAllocation|Stop|While|Calls|FramesThat|GPU|Lanes|Default|Clock|Processor|Loss'
# Of gather it is what folds and evicts, where an entry takes microseconds instead of nanoseconds.
folding='Evictions|NewStacks|LateZoneAfterADeep|FullLanesBeside|GoroutinesThatEnd|PerCallAgain|ProgramsWithPhases|CallsOfOther|LoweredLimit|FirstEnteredUntimed|HoldInAPauseOfAFullLane'
both() { # both FLAGS: platform and gather, beside what process shares
	go test -vet=off -count=1 -short "$@" ./platform ./internal/measure &
	gathered=$!
	go test -vet=off -count=1 -short -run "$shared" "$@" ./process || { wait "$gathered"; return 1; }
	wait "$gathered"
}
purego() {
	CGO_ENABLED=0 go test -vet=off -count=1 -short -tags purego -skip "$folding" ./platform ./internal/measure ./console ./wait ./draw/gl . ./internal/integration/api &&
		CGO_ENABLED=0 go test -vet=off -count=1 -short -tags purego -run "$shared" ./process &&
		go test -vet=off -count=1 -short -tags purego -skip Canvas ./examples/...
}
off() { # all builds; tests are of packages that know of the tag
	CGO_ENABLED=0 go vet -tags iprof_off $pure && go vet -tags iprof_off ./... &&
		go test -vet=off -count=1 -short -tags iprof_off -skip Canvas $core ./internal/measure/... ./input ./console ./capture ./iproftest ./auto ./wait \
			./logmark . ./internal/integration/api ./examples/... &&
		go test -vet=off -count=1 -short -tags iprof_off -run 'Overlay|Zone|Command|Example|Reachable|ShowsTheSample|Elsewhere' \
			./draw/gl ./viewer ./debug ./cmd/glviewer
}
race() { # where goroutines are; what draws, exports or reads a file has none, but for the panel
	go test -vet=off -count=1 -race -short -timeout 20m -p 3 \
		-skip 'PageFits|PointsToASign|FilesThatLie|OfDamage|EveryBit|Estimate|VerdictNamesWhat|ManyNamedGoroutines|TakesMuchMemory|RowsOfManyPaths' \
		./debug ./process ./internal/measure/... ./internal/oracle ./platform ./console ./capture ./auto ./wait ./internal/hostwriter . ./internal/integration/api &&
		go test -vet=off -count=1 -race -run 'Goroutines' ./viewer ./input
}
debug() ( export CGO_ENABLED=0; both -gcflags='-N -l' && go test -vet=off -count=1 -gcflags='all=-N -l' -run 'Row|Name|Defect|Frames' ./internal/integration/api; )
slowclock() ( export IPROF_CLOCK=go CGO_ENABLED=0; both && go test -vet=off -count=1 -short ./internal/measure/internal/... . ./internal/integration/api; )
gc() ( export GOGC=1 CGO_ENABLED=0; both; )
many() ( export GOMAXPROCS=16 CGO_ENABLED=0; both; ) # more than processors
single() ( export GOMAXPROCS=1 CGO_ENABLED=0; both; )
random() { IPROF_ORACLE=2s CGO_ENABLED=0 go test -vet=off -count=1 ./internal/oracle; } # of each setting
chaos() { IPROF_CHAOS=20s go test -vet=off -count=1 -race -run SoakChaos ./internal/integration; }
arm64() { # under an emulator: what differs by processor is there, and what a coarse clock shows
	emulator=$(command -v qemu-aarch64 || command -v qemu-aarch64-static) || { echo "no qemu-aarch64; tools/packages check"; return 1; }
	CGO_ENABLED=0 GOARCH=arm64 go test -vet=off -count=1 -short -exec "$emulator" $core
}
bits32() ( # where 64-bit words have to be aligned by hand; the tests of what is shared, as most take minutes without assembly
	export CGO_ENABLED=0 GOARCH=386
	sessions=.
	echo 'package main; func main() {}' >"$scratch/none.go"
	if ! go run "$scratch/none.go"; then # not every kernel runs programs of 32 bits, and emulators of 386 lack what Go's runtime needs
		GOARCH=arm sessions=$shared
		set -- -exec "$(command -v qemu-arm || command -v qemu-arm-static)"
	fi
	go test -vet=off -count=1 -short "$@" ./platform && go test -vet=off -count=1 -short -run "$sessions" "$@" ./process &&
		go test -vet=off -count=1 -short -run 'OfADemotedZone|DemotedZonesAre|BackWhileDemoted|EventsOverwrite|CountsAgree|Choosing' "$@" ./internal/measure &&
		go test -vet=off -count=1 -short "$@" ./internal/oracle
)
windows() { CGO_ENABLED=1 CC=x86_64-w64-mingw32-gcc GOOS=windows GOARCH=amd64 go build -o "$scratch/glviewer.exe" ./cmd/glviewer; }
hours() { IPROF_HOURS=offline go test -vet=off -count=1 -timeout 40m -run FirstHours ./internal/integration; }
nopreempt() ( export GODEBUG=asyncpreemptoff=1 CGO_ENABLED=0; both; )
benches() { CGO_ENABLED=0 go test -vet=off -run '^$' -bench . -benchtime 1x $core ./internal/integration/api ./draw ./viewer && go test -vet=off -run '^$' -bench . -benchtime 1x -short ./internal/integration/growth && go test -vet=off -run '^$' -bench . -benchtime 1x ./draw/gl; }
rivals() { (cd bench && go vet ./... && go test -vet=off -count=1 ./... && go run . -rounds 1 && go run ./flake -pixels 16 -runs 1); }
hosts() ( # the tests of examples/hosts run those of hosts/ebitengine, too
	(cd examples/hosts && go vet ./... && IPROF_GL=must go test -vet=off -count=1 ./...) && (cd hosts/ebitengine && go vet ./...) || return 1
	cd hosts/raylib || return 1
	if go mod download; then # not every proxy has it; without optimization its C code compiles quickly
		CGO_CFLAGS=-O0 go vet -tags x11 ./...
	else
		echo "SKIPPED: raylib is not to be had here"
	fi
)
nested() ( # nested DIR: the tests of a module with libraries of its own; not every proxy has them
	cd "$1" || return 1
	go mod download || { echo "SKIPPED: the libraries of $1 are not to be had here"; return 0; }
	go vet ./... && go test -vet=off -count=1 ./...
)
viewers() { # speedscope opens what "iprof export" writes, in a browser; the package is one folder of static files
	command -v npm >/dev/null && npm install --silent --no-audit --no-fund --prefix "$scratch/npm" speedscope@1.25.0 || {
		echo "SKIPPED: speedscope is not to be had here: it needs npm and the package speedscope"
		return 0
	}
	IPROF_SPEEDSCOPE="$scratch/npm/node_modules/speedscope/dist/release" go test -vet=off -count=1 -v -run 'Opens' ./export
}
fleets() { # DuckDB answers the questions of docs/fleet.md as SQLite does; its package has the engine in it
	command -v npm >/dev/null && npm install --silent --no-audit --no-fund --prefix "$scratch/npm-duckdb" @duckdb/node-api@1.5.6-r.1 &&
		export IPROF_DUCKDB="$scratch/npm-duckdb" ||
		echo "SKIPPED: DuckDB is not to be had here: it needs npm and the package @duckdb/node-api"
	nested cmd/iprof-query
}
scheduler() ( cd exectrace && go vet ./... && go test -vet=off -count=1 ./... && go test -vet=off -count=1 -tags iprof_off ./... && cd ../examples/why && go vet . && IPROF_GL=must go test -vet=off -count=1 .; ) # it needs Go 1.26; the rest does not
fuzz() { # so many inputs: before Go 1.27 a time that ends may be taken for a failure, and a minute goes to smaller inputs
	for target in FuzzReader FuzzMended FuzzFollow; do
		go test -vet=off -run '^$' -fuzz "^$target\$" -fuzztime 6000x -fuzzminimizetime 100x ./capture || return 1
	done
}

check() {
	step "gofmt" formatted
	step "go vet" go vet ./...
	beside 'step "the whole API with any arguments, 20 s" chaos
		step "race detector" race; step "captures and streams that are none" fuzz' \
		'step "staticcheck" go run honnef.co/go/tools/cmd/staticcheck@v0.8.2 ./...
		step "other systems build" tools/cross windows/amd64 darwin/arm64
		step "the first hours of users, offline" hours; step "tag iprof_off" off; step "IPROF_CLOCK=go" slowclock'
}
long() {
	beside 'step "hosts of the overlay" hosts; step "random programs, 2 s of each setting" random
		step "the code of Pyroscope'"'"'s servers reads the profiles" nested export/pyroscope/handlertest
		step "a collector for Prometheus'"'"'s library" nested export/prometheus
		step "metrics for OpenTelemetry" nested export/otel' \
		'step "what the documents say to Alloy and Parca" nested export/agents
		step "routes of gin, chi and echo" nested iprofhttp/routers
		step "zones that are entered or left wrongly" nested cmd/iprofvet
		step "captures as tables of SQL and as Parquet" fleets
		step "what makes a release" sh -c "cd tools/release && go vet ./... && go test -vet=off -count=1 ./..."
		step "execution traces" scheduler; step "the viewers that exports are for" viewers'
	beside 'step "-gcflags='"'"'-N -l'"'"'" debug; step "GOGC=1" gc; step "GOMAXPROCS=1" single' \
		'step "GOMAXPROCS=16" many; step "asyncpreemptoff" nopreempt; step "tag purego" purego'
	step "systems and processors that differ build" tools/cross
	beside 'step "benchmarks run" benches' 'step "rivals run" rivals'
	others='true'
	[ "$(uname -sm)" = "Linux x86_64" ] && others='step "linux, 32 bits" bits32'
	if [ "$(uname -s)" = Linux ]; then
		beside 'step "linux/arm64, emulated" arm64' "$others; step 'the viewer builds for Windows' windows; step 'Windows, under wine' tools/wine"
	fi
}
"${1:-check}"
