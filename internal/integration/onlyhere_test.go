package integration_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"example.com/iprof/internal/must"
)

// used is a place where a package of ours names something of another package.
type used struct {
	in   string // the package's folder
	what string // such as "os.Create"
	at   string
}

// linked returns the folders of all packages that users link or run, with those that they need. Examples, tools and
// helpers of tests are not among them.
func linked(t *testing.T) (folders []string) {
	t.Helper()
	module, packages := list(t)
	for _, p := range packages {
		name := p.name()
		if first, _, _ := strings.Cut(name, "/"); first == "internal" || first == "examples" || first == "tools" {
			continue
		}
		folders = append(folders, name)
		for _, other := range p.Deps {
			if ours, ok := strings.CutPrefix(other, module+"/"); ok {
				folders = append(folders, ours)
			}
		}
	}
	slices.Sort(folders)
	return append(slices.Compact(folders), "exectrace", "exectrace/cmd/annotate",
		"exectrace/cmd/iprof-import-trace", "internal/web/wasm")
}

// uses returns where the sources of folders, for all systems, name something of some packages, as "os.Create".
func uses(t *testing.T, folders, names []string) (all []used) {
	t.Helper()
	for _, folder := range folders {
		files, err := filepath.Glob(filepath.Join(root, folder, "*.go"))
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: got %d sources, %v", folder, len(files), err)
		}
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			places := token.NewFileSet()
			parsed := must.Get(parser.ParseFile(places, file, nil, parser.SkipObjectResolution))(t)
			from := imported(parsed)
			ast.Inspect(parsed, func(n ast.Node) bool {
				if s, ok := n.(*ast.SelectorExpr); ok {
					if of, ok := s.X.(*ast.Ident); ok && slices.Contains(names, from[of.Name]+"."+s.Sel.Name) {
						at := places.Position(s.Pos())
						all = append(all, used{folder, from[of.Name] + "." + s.Sel.Name,
							fmt.Sprintf("%s:%d", strings.TrimPrefix(file, root+"/"), at.Line)})
					}
				}
				return true
			})
		}
	}
	return all
}

// imported returns the paths of a file's imports by the names that the file has for them.
func imported(file *ast.File) map[string]string {
	from := map[string]string{}
	for _, i := range file.Imports {
		path, _ := strconv.Unquote(i.Path.Value)
		name := path[strings.LastIndex(path, "/")+1:]
		if i.Name != nil {
			name = i.Name.Name
		}
		from[name] = path
	}
	return from
}

// TestOnlyServeListens: one server has the limits and the guard, so no package but internal/serve opens a port or makes
// a server.
func TestOnlyServeListens(t *testing.T) {
	var found bool
	for _, u := range uses(t, linked(t), []string{"net.Listen", "net.ListenTCP", "net.ListenUnix", "net.ListenConfig",
		"net.ListenPacket", "net.ListenUDP", "net.ListenIP", "net.FileListener", "net.ListenUnixgram",
		"net.ListenMulticastUDP", "net/http.Server", "net/http.Serve", "net/http.ServeTLS", "net/http.ListenAndServe",
		"net/http.ListenAndServeTLS", "crypto/tls.Listen", "net/http/httptest.NewServer"}) {
		if u.in != "internal/serve" {
			t.Errorf("%s: got %s; want it only in internal/serve", u.at, u.what)
		}
		found = true
	}
	if !found {
		t.Error("nothing listens, so this tests nothing")
	}
}

// writes are the functions that make or replace files.
var writes = []string{"os.Create", "os.WriteFile", "os.OpenFile", "os.CreateTemp", "os.MkdirTemp", "os.Mkdir",
	"os.MkdirAll", "os.Rename", "os.Link", "os.Symlink", "os.Truncate", "os.OpenRoot", "os.CopyFS", "os.NewFile",
	"io/ioutil.WriteFile", "io/ioutil.TempFile", "io/ioutil.TempDir", "syscall.Open", "syscall.Creat",
	"syscall.Mkdir", "syscall.Rename", "syscall.Link", "syscall.Symlink", "syscall.Truncate", "syscall.CreateFile",
	"golang.org/x/sys/unix.Open", "golang.org/x/sys/unix.Openat", "golang.org/x/sys/unix.Creat",
	"golang.org/x/sys/unix.Mkdir", "golang.org/x/sys/unix.Rename", "golang.org/x/sys/unix.Link",
	"golang.org/x/sys/unix.Symlink", "golang.org/x/sys/windows.CreateFile"}

// mayWrite are the files outside of internal/outfile that name one of these functions, with the reason.
var mayWrite = map[string]string{
	"auto/file_linux.go":           "a recording of a program that must not see its number among its own files",
	"auto/file_other.go":           "the same where files have no such numbers",
	"internal/framefile/waited.go": "adds to a finished capture in its place",

	"cmd/iprof/signal.go": "a terminal",
	"cmd/iprof/watch.go":  "a terminal",

	"cmd/iprof/built.go":              "build scratch: the programs of the last runs",
	"internal/instrument/contents.go": "build scratch: rewritten files, which keep their times",
	"internal/instrument/cover.go":    "build scratch: files of the go command's own folder",
	"internal/instrument/deps.go":     "build scratch: a copy of a module",
	"internal/instrument/digests.go":  "build scratch: digests of sources",
	"internal/instrument/fetch.go":    "build scratch: a copy of a module",
	"internal/instrument/linked.go":   "build scratch: files of the go command's own folder",
	"internal/instrument/place.go":    "build scratch: a link to the Go installation",
	"internal/instrument/sources.go":  "build scratch: the sources of this module",
	"internal/instrument/stored.go":   "build scratch: results of earlier starts",
	"internal/instrument/tool.go":     "build scratch: a file of the go command's own folder",
	"internal/instrument/write.go":    "build scratch: the folder of a program",

	"internal/instrument/lock_unix.go":    "a lock",
	"internal/instrument/lock_windows.go": "a lock",

	"internal/scratch/create_other.go":   "scratch without a name",
	"internal/scratch/create_windows.go": "scratch that the system removes",
	"internal/scratch/scratch.go":        "scratch: a folder that only its owner may open",

	"iproftest/baseline.go": "a folder of the program's own sources, with their permissions",
}

// TestOnlyOutfileWrites: each kind of file is made in one place, so each has its permissions, follows no link where it
// must not, and leaves what was there after an error. An exception that is none any more has to go.
func TestOnlyOutfileWrites(t *testing.T) {
	needed := map[string]bool{}
	for _, u := range uses(t, linked(t), writes) {
		file, _, _ := strings.Cut(u.at, ":")
		if u.in == "internal/outfile" || strings.Contains(u.what, ".Open") && !opensToWrite(t, file) {
			continue
		}
		if mayWrite[file] == "" {
			t.Errorf("%s: got %s; want it in internal/outfile, or a reason in mayWrite", u.at, u.what)
		}
		needed[file] = true
	}
	for file := range mayWrite {
		if !needed[file] {
			t.Errorf("mayWrite has %s, which needs no exception", file)
		}
	}
}

// opensToWrite reports whether a file of the module names a flag for writing.
func opensToWrite(t *testing.T, file string) bool {
	t.Helper()
	text := must.Get(os.ReadFile(filepath.Join(root, file)))(t)
	return regexp.MustCompile(`\bO_(CREATE?|WRONLY|RDWR|APPEND|TRUNC)\b|OpenRoot`).Match(text)
}
