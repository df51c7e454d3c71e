# make run     the viewer on a real workload (without a display: off screen, leaves a picture)
# make test    all of this machine's tests
# make check   formatting, vet, staticcheck, race detector, build tags, cross-builds
# make bench   the benchmarks
.POSIX:
.SUFFIXES:
.PHONY: run test check bench soak golden module-path

PICTURE = glviewer.png
WORKLOAD = game

run:
	@tools/packages run
	@tools/run $(WORKLOAD) $(PICTURE)

test:
	@tools/packages test
	@tools/test

check:
	@tools/packages test
	@./check.sh

bench:
	@tools/bench

soak:
	IPROF_SOAK=1 go test -count=1 -timeout 60m -run Soak ./...

# Rewrites the golden files; look at each before you commit it.
golden:
	go test ./draw/... ./process/... -update

# make module-path MODULE=github.com/you/iprof: moves the whole tree to another module path.
module-path:
	@tools/module-path "$(MODULE)"
