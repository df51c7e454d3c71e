package main

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"example.com/iprof/internal/outfile"
)

const cleanMore = `
iprof clean removes only files that later starts make again: plans, rewritten files and built programs of iprof run,
build and test, the names of muted functions, the profiler's sources, the viewer for the browser, and the index of
fonts. It keeps captures, settings, the list of recent files, and programs that run. To empty the cache of Go itself,
use go clean -cache.
`

// clean is the command clean. It removes the folders of the cache and prints each.
func clean(args []string) int {
	f := newFlags("clean")
	only := f.Bool("n", false, "only print what it would remove")
	if err := parseFlags(f, args); err != nil {
		return usageStatus(err)
	}
	if f.NArg() != 0 {
		stderr.Println("usage: iprof clean [-n]; it takes no names")
		return 2
	}
	dir, err := outfile.Cache()
	if err != nil {
		return fail(fmt.Errorf("nothing was removed: %w; remove the cache yourself if it is yours", err))
	}
	return cleanFolder(dir, *only)
}

// cleanFolder removes the folders of a cache, or only prints them. It returns the exit status.
func cleanFolder(dir string, only bool) (code int) {
	var sum int64
	folders := cacheFolders(dir)
	words, count := "removed", 0
	if only {
		words = "would remove"
	}
	for _, path := range folders {
		if id := runsBelow(path); id != 0 {
			stderr.Printf("iprof: %s is not removed: process %d runs a program in it\n", path, id)
			continue
		}
		bytes := sizeOf(path)
		if !only {
			if err := os.RemoveAll(path); err != nil {
				code = fail(fmt.Errorf("not all of %s is removed: %w", path, err))
				continue
			}
		}
		stdout.Printf("%s %s (%s)\n", words, path, megabytes(bytes))
		sum, count = sum+bytes, count+1
	}
	if count == 0 {
		stdout.Printf("there is nothing to remove in %s\n", dir)
	} else {
		stdout.Printf("%s %s: folders of %s: %d\n", words, megabytes(sum), dir, count)
	}
	return code
}

// sharedFolders are the folders of the cache that belong to no single program.
var sharedFolders = []string{"checked-fonts", "sources", "starts", "toolchains", "versions", "viewer"}

// programFolder is the name of the folder of one program, which has a folder "files".
var programFolder = regexp.MustCompile(`^program$|-[0-9a-f]{8}$`)

// cacheFolders returns the folders in a cache that iprof made. It leaves out links and all that it does not know.
func cacheFolders(dir string) (paths []string) {
	entries, _ := os.ReadDir(dir) // without a cache there is nothing
	for _, e := range entries {
		path := filepath.Join(dir, e.Name())
		files, err := os.Lstat(filepath.Join(path, "files"))
		ofProgram := programFolder.MatchString(e.Name()) && err == nil && files.IsDir()
		if e.IsDir() && (ofProgram || slices.Contains(sharedFolders, e.Name())) {
			paths = append(paths, path)
		}
	}
	return paths
}

// runsBelow returns the id of a process that runs a program of a folder, 0 if none does.
func runsBelow(dir string) int {
	entries, _ := os.ReadDir(filepath.Join(dir, "bin"))
	for _, e := range entries {
		number, _, _ := strings.Cut(strings.TrimPrefix(e.Name(), runStart), "-")
		if id, err := strconv.Atoi(number); err == nil && e.IsDir() && isRunning(id) {
			return id
		}
	}
	return 0
}

// sizeOf returns the bytes of the files below a folder. It follows no links.
func sizeOf(dir string) (sum int64) {
	_ = filepath.WalkDir(dir, func(_ string, e fs.DirEntry, err error) error {
		if err == nil && e.Type().IsRegular() {
			if info, err := e.Info(); err == nil {
				sum += info.Size()
			}
		}
		return nil // what cannot be read does not count
	})
	return sum
}

func megabytes(bytes int64) string { return fmt.Sprintf("%.1f MB", float64(bytes)/1e6) }

// nameCache names what the first run of a program leaves for later ones.
func nameCache(dir string) {
	var sum int64
	for _, path := range cacheFolders(dir) {
		sum += sizeOf(path)
	}
	stderr.Printf("iprof: %s now holds %s for later starts; iprof clean removes it\n", dir,
		megabytes(sum))
}
