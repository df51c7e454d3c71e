# Draws the profile on a page of WebAssembly, and on a page that needs no program.
cd ../iprof
GOOS=js GOARCH=wasm go build -o "$OLDPWD/web.wasm" ./examples/wasm
cd "$OLDPWD"
[ -s web.wasm ]
go build -C ../iprof -o "$PWD/page" ./examples/wasm # go run ./examples/wasm
(cd ../iprof && exec "$OLDPWD/page" -http "127.0.0.1:$port") &
page=$!
trap 'kill $page' EXIT
soon 'curl -s "127.0.0.1:$port/" >index.html'
has index.html '<script'
