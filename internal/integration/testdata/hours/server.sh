# Serves HTTP, and looks at the server while it runs.
cp "$DOCS/docs/tutorial/3-servers.md/go-1" main.go
go mod init server
go mod edit -require=example.com/iprof@v0.3.0 -replace=example.com/iprof=../iprof
go mod tidy
go build -o server .
./server 2>log &
server=$!
trap 'touch enough; kill $server' EXIT
# It ends at once where another program has the port.
for _ in $(seq 600); do
	if ! kill -0 $server || curl -s 127.0.0.1:8080/search; then break; fi
	sleep 0.2
done
kill -0 $server || { cat log; exit 1; }
curl -s 127.0.0.1:8080/search
# shown FILE WORD: the file has the word, or is printed.
shown() { grep -q "$2" "$1" || { echo "no $2 in:"; cat "$1"; return 1; }; }
# until_shown FILE WORD COMMAND: runs the command again and again until its output, in the file, has the word.
until_shown() {
	for _ in $(seq 150); do
		eval "$3" >"$1" && grep -q "$2" "$1" && return
		curl -s 127.0.0.1:8080/search >/dev/null && sleep 0.2
	done
	shown "$1" "$2"
}
until_shown tree 'GET /search' 'curl -s 127.0.0.1:8080/debug/iprof/tree'
cat tree
until_shown metrics iprof_frames 'curl -s 127.0.0.1:8080/debug/iprof/metrics'
requests() { until [ -e enough ]; do curl -s 127.0.0.1:8080/search >/dev/null; sleep 0.3; done; }
requests &
iprof top 127.0.0.1:8080 | tee top
shown top 'GET /search'
iprof view 127.0.0.1:8080
# The terminal page is interrupted, as by ctrl+C, once it has shown the route.
until grep -q 'GET /search' screen 2>/dev/null || [ -e enough ]; do sleep 0.2; done && kill -INT "$(cat page)" &
live='echo $$ >page; exec timeout --foreground -s INT 60 iprof live 127.0.0.1:8080'
script -qfec "stty cols 120 rows 30; $live" screen >/dev/null || [ $? = 130 ] || { echo "iprof live:"; cat screen; exit 1; }
shown screen 'GET /search'
touch enough
go tool pprof -seconds 5 http://127.0.0.1:8080/debug/iprof/profile </dev/null # its commands would come from the terminal
go tool pprof -seconds 1 -proto -output profile.pb.gz http://127.0.0.1:8080/debug/iprof/profile
[ -s profile.pb.gz ]
