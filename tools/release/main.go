// Command release does for the script release, beside it, what a shell cannot:
//
//	go run . zip FOLDER MODULE VERSION TIME PROXY         packs a module as a proxy has it
//	go run . licences MODULE VERSION OUT <LINKED          writes the licences of modules, and an SBOM
package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"golang.org/x/mod/module"
	"golang.org/x/mod/zip"
)

func main() {
	err := errors.New("usage: see the script release")
	switch args := os.Args[1:]; {
	case len(args) == 6 && args[0] == "zip":
		err = pack(args[1], module.Version{Path: args[2], Version: args[3]}, args[4], args[5])
	case len(args) == 4 && args[0] == "licences":
		err = writeLicences(module.Version{Path: args[1], Version: args[2]}, args[3], os.Stdin)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

// pack writes the module in a folder into a file proxy. It follows the rules of the go command: names, sizes, a
// licence.
func pack(folder string, m module.Version, time, proxy string) error {
	escaped, err := module.EscapePath(m.Path)
	if err != nil {
		return err
	}
	dir := filepath.Join(proxy, filepath.FromSlash(escaped), "@v")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	mod, err := os.ReadFile(filepath.Join(folder, "go.mod"))
	if err != nil {
		return err
	}
	for name, text := range map[string]string{".mod": string(mod),
		".info": fmt.Sprintf("{\"Version\":%q,\"Time\":%q}\n", m.Version, time)} {
		if err := os.WriteFile(filepath.Join(dir, m.Version+name), []byte(text), 0o644); err != nil {
			return err
		}
	}
	file, err := os.Create(filepath.Join(dir, m.Version+".zip"))
	if err != nil {
		return err
	}
	return errors.Join(zip.CreateFromDir(file, m, folder), file.Close(),
		os.WriteFile(filepath.Join(dir, "list"), []byte(m.Version+"\n"), 0o644))
}
