// Patterns of go:embed: hidden files, folders, names with spaces, and the file itself.
package main

import (
	"embed"
	"fmt"
	"io/fs"
)

//go:embed *.txt data all:hidden "with space"
var all embed.FS

//go:embed main.go
var own []byte

//go:embed data/*.json
var some embed.FS

func main() {
	for _, f := range []embed.FS{all, some} {
		fs.WalkDir(f, ".", func(path string, d fs.DirEntry, err error) error {
			text, _ := f.ReadFile(path)
			fmt.Println(path, len(text), err)
			return nil
		})
	}
	fmt.Println(len(own))
}
