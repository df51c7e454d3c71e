# Draws the profile on a page of WebAssembly, and on a page that needs no program.
cd ../iprof
GOOS=js GOARCH=wasm go build -o "$OLDPWD/web.wasm" ./examples/wasm
cd "$OLDPWD"
[ -s web.wasm ]
