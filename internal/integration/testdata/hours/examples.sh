# Runs the programs to start from, with the commands of their page.
cd ../iprof
go run ./examples/hello | tee "$TMPDIR/said"
grep -q simulate "$TMPDIR/said"
go run ./examples/cli -tree README.md DESIGN.md >"$TMPDIR/said"
grep -q 'main.sorted' "$TMPDIR/said"
go run ./examples/tickserver -ticks 80 -every 20ms | tee "$TMPDIR/said"
grep -q -e '|- save' "$TMPDIR/said"
go run ./examples/contention -table | tee "$TMPDIR/said"
grep -q 'update' "$TMPDIR/said"

# These go on until somebody ends them. They are built first: go run does not pass each signal on.
until_ended() { # until_ended SECONDS COMMAND: the program of "go run PACKAGE" for some seconds
	go build -o "$TMPDIR/program" "$4"
	timeout --preserve-status -s INT "$1" "$TMPDIR/program"
}
until_ended 3 go run ./examples/apiprofile >"$TMPDIR/said" || [ $? = 130 ]
grep -q 'zone "memory pool"' "$TMPDIR/said"
go build -o "$TMPDIR/server" ./examples/httpserver # go run ./examples/httpserver
"$TMPDIR/server" -addr 127.0.0.1:8081 &
server=$!
trap 'kill $server' EXIT
until curl -s localhost:8081/search >/dev/null; do sleep 0.1; done
sleep 1.2
page() { "$1" -s "$(echo "$2" | sed 's/8080/8081/')"; } # another port, as another test may have the usual one
page curl localhost:8080/debug/iprof/tree >"$TMPDIR/said"
grep 'GET /search' "$TMPDIR/said"
