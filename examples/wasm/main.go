//go:build !js

// Command wasm profiles a program in a browser. It builds this folder for WebAssembly and serves it. The profiler's
// panel is drawn on a canvas, and takes keys and the mouse.
//
//	go run ./examples/wasm # then open http://localhost:8080
package main

import (
	"flag"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

const page = `<!doctype html><title>IProf</title><link rel="icon" href="data:,">
<canvas id="canvas" width="960" height="600"></canvas>
<script src="wasm_exec.js"></script><script>
const go = new Go();
WebAssembly.instantiateStreaming(fetch("game.wasm"), go.importObject).then(r => go.run(r.instance));
</script>`

func main() {
	address := flag.String("http", "localhost:8080", "address to serve")
	folder := flag.String("out", "", "write the files to this folder, and serve nothing")
	flag.Parse()
	if err := run(*address, *folder); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(address, folder string) error {
	if folder != "" {
		return build(folder)
	}
	folder, err := os.MkdirTemp("", "wasm-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	if err := build(folder); err != nil {
		return err
	}
	fmt.Println("http://" + address)
	return http.ListenAndServe(address, http.FileServer(http.Dir(folder)))
}

// build writes the program, the page, and the script that Go has for it.
func build(folder string) error {
	goroot, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return err
	}
	script, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(goroot)), "lib/wasm/wasm_exec.js"))
	if err != nil {
		return err
	}
	for name, data := range map[string][]byte{"wasm_exec.js": script, "index.html": []byte(page)} {
		if err := os.WriteFile(filepath.Join(folder, name), data, 0o666); err != nil {
			return err
		}
	}
	cmd := exec.Command("go", "build", "-o", filepath.Join(folder, "game.wasm"), "example.com/iprof/examples/wasm")
	cmd.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm", "CGO_ENABLED=0", "GOFLAGS=")
	cmd.Stderr = os.Stderr
	return cmd.Run()
}
