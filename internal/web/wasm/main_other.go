//go:build !js || !wasm

// Command wasm is the viewer in a page of a browser. Package web builds and serves it.
package main

import (
	"fmt"
	"os"
)

// main prints the purpose of the program, which runs only in a browser.
func main() {
	fmt.Fprintln(os.Stderr, "this is the viewer for a browser: iprof view builds and shows it")
	os.Exit(1)
}
