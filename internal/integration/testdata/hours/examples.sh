# Runs the programs to start from, with the commands of their page.
cd ../iprof
go run ./examples/hello | tee "$TMPDIR/said"
has "$TMPDIR/said" simulate
go run ./examples/cli -tree README.md DESIGN.md >"$TMPDIR/said"
has "$TMPDIR/said" 'main.sorted'
go run ./examples/tickserver -ticks 80 -every 20ms | tee "$TMPDIR/said"
has "$TMPDIR/said" '|- save'

# It goes on until somebody ends it. It is built first: go run does not pass each signal on.
go build -o "$TMPDIR/server" ./examples/httpserver # go run ./examples/httpserver
"$TMPDIR/server" -addr "127.0.0.1:$port" &
server=$!
trap 'kill $server' EXIT
page() { "$1" -s "$(echo "$2" | sed "s/8080/$port/")" >"$TMPDIR/said"; } # at a port that no other test has
requested() { # a frame of a second that had a request
	curl -s "localhost:$port/search" >/dev/null
	page curl localhost:8080/debug/iprof/tree
	has "$TMPDIR/said" 'GET /search'
}
soon requested
cat "$TMPDIR/said"
