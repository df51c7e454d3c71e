# make run     the viewer on a real workload (without a display: off screen, leaves a picture)
# make test    this machine's tests; those that take long are short, or left to make long
# make check   formatting, vet, staticcheck, race detector, build tags, cross-builds
# make bench   the benchmarks, in under three minutes
# make long    all tests at full length, then more settings, nested modules and emulated processors
# make soak    the endless tests, and the tests at full length under each setting, some hours
# make release VERSION=v0.2.0   notes, programs, packages, sums and their checks, in the folder OUT=dist
# make install, make uninstall   the viewer and iprof, icon, desktop entry and manual pages (PREFIX=/usr/local, DESTDIR=)
.POSIX:
.SUFFIXES:
.PHONY: run build test check long bench soak release install uninstall golden pictures module-path

PICTURE = glviewer.png
WORKLOAD = game
PREFIX = /usr/local
DESTDIR =
OUT = dist
VERSION =

run:
	@tools/packages run
	@tools/run $(WORKLOAD) $(PICTURE)

build:
	@tools/packages run
	@tools/compile 220 "the viewer and the bindings of OpenGL" go build -trimpath -o bin/glviewer ./cmd/glviewer
	go run ./internal/instrument/pack
	go build -trimpath -tags iprof_sources -o bin/iprof ./cmd/iprof
	@tools/beside

install:
	@PREFIX="$(PREFIX)" DESTDIR="$(DESTDIR)" tools/install install

uninstall:
	@PREFIX="$(PREFIX)" DESTDIR="$(DESTDIR)" tools/install uninstall

test:
	@tools/packages test
	@tools/test -short

check:
	@tools/packages check
	@./check.sh

long:
	@tools/packages check
	@tools/test
	@./check.sh long

bench:
	@tools/bench

soak:
	@tools/packages check
	IPROF_SOAK=1 CGO_ENABLED=0 go test -count=1 -timeout 60m -v -run 'Attack|Extreme' ./internal/integration ./cmd/iprof
	IPROF_ORACLE=3m go test -count=1 -race -timeout 120m -v ./internal/oracle
	IPROF_CHAOS=10m go test -count=1 -race -timeout 60m -v -run SoakChaos ./internal/integration
	tools/soak
	IPROF_HOUR=1 CGO_ENABLED=0 go test -count=1 -v -run SoakHour ./capture
	IPROF_ORACLE=1m CGO_ENABLED=0 go test -count=1 -timeout 90m -v ./internal/oracle

release:
	@tools/release/release "$(OUT)" "$(VERSION)"

# Rewrites the golden files; look at each before you commit it.
golden:
	go test ./draw/... ./viewer ./process/... ./internal/icon -update

# Makes the pictures of the documents; look at each before you commit it.
pictures:
	IPROF_BROWSER=must go test -count=1 -run PicturesOfTheDocuments ./cmd/glviewer -update

# make module-path MODULE=github.com/you/iprof: moves the whole tree to another module path.
module-path:
	@tools/module-path "$(MODULE)"
