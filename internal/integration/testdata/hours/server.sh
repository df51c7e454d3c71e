# Serves HTTP, and looks at the server while it runs.
cp "$DOCS/docs/tutorial/3-servers.md/go-1" main.go
go mod init server
go mod edit -require=example.com/iprof@v0.3.0 -replace=example.com/iprof=../iprof
go mod tidy
go build -o server .
./server 2>log &
server=$!
trap 'kill $server' EXIT
until curl -s 127.0.0.1:8080/search; do sleep 0.1; done
sleep 1.2
curl 127.0.0.1:8080/debug/iprof/tree | tee tree
grep -q 'GET /search' tree
curl -s 127.0.0.1:8080/debug/iprof/metrics | grep -q iprof_frames
requests() { for n in 1 2 3 4 5 6 7 8; do curl -s 127.0.0.1:8080/search >/dev/null; sleep 0.6; done; }
requests &
iprof top 127.0.0.1:8080 | tee top
grep -q 'GET /search' top
iprof view 127.0.0.1:8080
requests &
live='timeout --preserve-status -s INT 3 iprof live 127.0.0.1:8080'
script -qec "stty cols 120 rows 30; $live" screen >/dev/null || [ $? = 130 ]
grep -q 'GET /search' screen
go tool pprof -seconds 5 http://127.0.0.1:8080/debug/iprof/profile </dev/null # its commands would come from the terminal
go tool pprof -seconds 1 -proto -output profile.pb.gz http://127.0.0.1:8080/debug/iprof/profile
[ -s profile.pb.gz ]
