package integration_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"example.com/iprof/internal/longtest"
	"example.com/iprof/internal/must"
)

// root is the module's folder. Commands run there.
const root = "../.."

// mayImport is the import table: which packages of this module each package may import. Data flows one way.
// Every package has a row, and every row has a package. Tests are not bound by it.
var mayImport = map[string][]string{
	"platform": {"internal/quiet"},
	"shaders":  {},
	"fonts":    {"internal/outlines", "internal/outlines/gofonts"},
	"gather":   {"internal/measure", "platform"},
	"internal/measure": {"platform", "internal/quiet", "internal/measure/histogram",
		"internal/measure/internal/budget", "internal/measure/internal/calls", "internal/measure/internal/counters",
		"internal/measure/internal/eventlog", "internal/measure/internal/eviction",
		"internal/measure/internal/foreign", "internal/measure/internal/governor", "internal/measure/internal/heap",
		"internal/measure/internal/mistakes", "internal/measure/internal/sites"},
	"process": {"process/report", "process/timeline", "process/internal/totals", "process/internal/history",
		"process/internal/resize", "process/internal/store", "process/internal/rows", "gather", "internal/measure",
		"platform"},
	"draw": {"process/report", "gather", "fonts", "internal/printed", "internal/zonecolor"},
	"capture": {"process", "process/report", "process/timeline", "gather", "platform", "internal/framefile",
		"internal/hostwriter", "internal/outfile", "internal/printed"},
	"internal/framefile": {"internal/allocated", "process", "process/report", "process/timeline", "gather",
		"internal/measure", "internal/measure/histogram", "platform"},
	"debug": {"internal/allocated", "internal/goroutines", "internal/leaks",
		"capture", "console", "export", "process", "process/report", "gather", "draw/text", "draw/html",
		"internal/chosen", "internal/serve"},
	"iproftest": {"internal/goroutines", "internal/leaks",
		"internal/framefile", "process", "process/report", "gather", "platform", "internal/changes",
		"internal/fleets", "internal/outfile", "internal/printed"},
	"viewer": {"internal/allocated",
		"viewer/hit", "viewer/internal/canvas", "viewer/internal/scene", "viewer/internal/strip",
		"viewer/internal/table", "viewer/internal/timeline", "viewer/internal/card", "viewer/internal/icicle",
		"viewer/internal/answer", "viewer/internal/list", "viewer/internal/listing", "draw", "draw/text", "process",
		"process/report", "process/timeline", "gather", "internal/measure", "internal/moment", "internal/zonecolor",
		"internal/printed"},
	"viewer/hit":             {"process/report"},
	"viewer/internal/canvas": {"viewer/hit", "draw", "internal/printed"},
	"viewer/internal/scene": {"viewer/hit", "viewer/internal/canvas", "draw", "process", "process/report",
		"internal/zonecolor", "internal/printed"},
	"viewer/internal/strip": {"viewer/hit", "viewer/internal/canvas", "viewer/internal/scene", "draw",
		"process/report", "gather", "internal/measure", "internal/printed", "internal/zonecolor"},
	"viewer/internal/table": {"viewer/hit", "viewer/internal/canvas", "viewer/internal/scene", "draw",
		"process/report"},
	"viewer/internal/timeline": {"viewer/hit", "viewer/internal/canvas", "viewer/internal/scene", "draw",
		"draw/text", "process/report", "process/timeline", "gather", "internal/measure", "internal/printed"},
	"viewer/internal/card": {"internal/allocated",
		"viewer/hit", "viewer/internal/canvas", "viewer/internal/scene", "draw",
		"draw/text", "process", "process/report", "process/timeline", "gather", "internal/printed"},
	"viewer/internal/answer": {"viewer/hit", "viewer/internal/canvas", "viewer/internal/scene", "draw", "draw/text",
		"process/report", "process/timeline", "gather", "internal/measure", "internal/printed"},
	"viewer/internal/list": {"viewer/hit", "viewer/internal/canvas", "draw", "process/report"},
	"viewer/internal/listing": {"internal/allocated",
		"draw", "viewer/internal/list", "draw/text", "process", "process/report", "process/timeline",
		"internal/printed"},
	"viewer/internal/icicle": {"viewer/hit", "viewer/internal/canvas", "viewer/internal/scene", "draw",
		"process/report"},

	"fonts/system": {"fonts", "draw", "internal/outfile", "internal/scratch"},
	"draw/soft":    {"draw", "internal/outlines/gofonts"},
	"source":       {"process/report", "gather"},
	"draw/gl": {"internal/goroutines",
		"viewer", "draw", "process", "process/report", "gather", "internal/measure", "platform", "shaders",
		"fonts"},
	"draw/text": {"process/report", "gather", "internal/asjson", "internal/printed"},
	"draw/html": {"internal/allocated",
		"draw", "process/report", "gather", "internal/pngfile", "internal/zonecolor", "internal/printed"},
	"input": {"viewer", "process", "process/report", "gather"},
	"console": {"internal/goroutines",
		"viewer", "draw/text", "draw/html", "input", "process", "process/report", "gather",
		"internal/hostwriter", "internal/outfile", "internal/printed"},
	"": {"capture", "platform", "gather", "internal/measure", "process", "process/report", "draw/text", "draw/html",
		"console", "internal/hostwriter", "wait"},

	"process/report": {"process/internal/resize", "gather", "internal/measure", "platform", "internal/printed"},
	"process/internal/history": {"process/report", "process/internal/resize", "gather", "internal/measure",
		"internal/measure/histogram", "platform", "internal/printed"},
	"process/internal/verdict": {"process/report", "process/internal/history", "process/internal/resize", "gather",
		"internal/measure"},
	"process/timeline": {"process/report", "process/internal/history", "process/internal/resize", "gather",
		"internal/measure", "platform"},
	"process/internal/totals": {"process/report", "process/timeline", "process/internal/history",
		"process/internal/resize",
		"gather", "internal/measure", "platform"},
	"process/internal/store": {"process/report", "process/timeline", "process/internal/totals",
		"process/internal/history",
		"process/internal/verdict", "process/internal/resize", "gather", "internal/measure"},
	"process/internal/rows": {"process/report", "process/timeline", "process/internal/totals",
		"process/internal/history",
		"process/internal/store", "process/internal/resize", "gather", "internal/measure", "platform",
		"internal/printed"},
	"process/internal/resize": {},

	"internal/measure/histogram":       {"platform", "internal/measure/internal/budget"},
	"internal/measure/internal/budget": {},
	"internal/measure/internal/calls":  {"platform", "internal/measure/histogram"},
	"internal/measure/internal/counters": {"platform", "internal/measure/internal/budget",
		"internal/measure/internal/sites"},
	"internal/measure/internal/eviction": {"platform"},
	"internal/measure/internal/eventlog": {"platform", "internal/measure/internal/budget"},
	"internal/measure/internal/foreign":  {"platform"},
	"internal/measure/internal/governor": {"platform", "internal/quiet"},
	"internal/measure/internal/heap":     {"platform", "internal/measure/internal/budget"},
	"internal/measure/internal/mistakes": {"internal/quiet"},
	"internal/measure/internal/sites":    {"internal/quiet"},
	"internal/quiet":                     {},

	"wait":      {"gather", "internal/measure", "platform"},
	"iprofhttp": {"gather"},
	"iprofc":    {"gather", "internal/measure", "platform"},
	"export": {"process", "process/report", "process/timeline", "gather", "platform",
		"internal/printed"},
	"logmark": {"gather", "internal/measure"},
	"auto": {"process", "process/report", "gather", "internal/measure", "platform", "internal/framefile",
		"auto/internal/samples", "internal/quiet", "internal/sampled"},
	"auto/cpuprofile":       {"auto", "internal/outfile"},
	"auto/internal/samples": {},
	"auto/serve":            {"auto", "debug", "internal/serve"},
	"auto/yield":            {"auto"},
	"cmd/iprof": {"auto", "capture", "internal/framefile", "console", "debug", "draw/html", "draw/text",
		"internal/exporter",
		"internal/budget", "internal/importer", "internal/instrument", "internal/outfile",
		"internal/pprofread", "internal/printed", "internal/fleets", "internal/follow", "internal/remote",
		"internal/chosen", "internal/moment", "internal/runreport", "internal/tables",
		"internal/progress", "internal/scratch", "internal/serve", "platform", "process", "process/report", "gather",
		"internal/asjson", "internal/beside", "internal/changes", "internal/version", "internal/editor", "internal/web",
		"source"},
	"cmd/glviewer": {"", "capture", "internal/framefile", "viewer", "draw", "draw/gl", "draw/soft",
		"draw/text", "fonts/system", "input",
		"process", "process/report", "internal/budget", "internal/desk", "internal/editor", "internal/icon",
		"internal/beside", "internal/outfile", "internal/outlines/gofonts", "internal/printed", "internal/remote",
		"internal/serve", "internal/version", "internal/workload"},

	"export/pyroscope": {"export", "process", "process/report"},

	"examples/game":       {"", "viewer", "draw/gl", "input", "process", "internal/workload"},
	"examples/hello":      {""},
	"examples/c":          {"", "iprofc"},
	"examples/cli":        {"", "export", "process", "process/report"},
	"examples/httpserver": {"", "debug", "iprofhttp"},
	"examples/tickserver": {"", "capture"},
	"examples/wasm":       {"", "draw", "draw/soft", "input", "viewer"},

	"internal/asjson":       {"internal/allocated", "process/report", "gather", "internal/measure", "internal/printed"},
	"iprofc/internal/ccode": {},

	"internal/browser":    {},
	"internal/boxfont":    {},
	"internal/budget":     {},
	"internal/allocstest": {},
	"internal/longtest":   {},
	"internal/must":       {},
	"internal/oracle":     {},
	"internal/moment":     {},
	"internal/egltest":    {},
	"internal/exporter": {"internal/framefile", "export", "process", "process/report", "process/timeline", "gather",
		"platform", "internal/budget", "internal/scratch"},
	"internal/desk": {"capture", "internal/framefile", "draw", "draw/html", "gather", "input", "process",
		"process/report", "source",
		"viewer", "internal/budget", "internal/changes", "internal/exporter", "internal/follow", "internal/importer",
		"internal/moment", "internal/outfile", "internal/pngfile", "internal/printed", "internal/progress",
		"internal/scratch"},
	"internal/editor":     {},
	"internal/follow":     {"internal/framefile", "process"},
	"internal/golden":     {},
	"internal/hostwriter": {},
	"internal/icon":       {},
	"internal/importer": {"internal/beside", "internal/framefile", "process", "process/report", "gather",
		"internal/measure", "platform",
		"internal/budget", "internal/outfile", "internal/pprofread", "internal/progress", "internal/protobuf",
		"internal/scratch", "internal/printed"},
	"internal/instrument":      {"gather", "internal/measure", "internal/sampled"},
	"internal/instrument/pack": {"internal/instrument"},
	"internal/allocated":       {"gather"},
	"internal/goroutines":      {"gather", "process", "process/report", "platform"},
	"internal/leaks":           {},
	"internal/sampled":         {"gather", "process/report"},
	"internal/chosen":          {"process", "process/report"},
	"internal/tables": {"internal/allocated", "process", "internal/chosen", "internal/framefile",
		"internal/measure/histogram", "internal/whatif", "gather", "platform", "process/report"},
	"internal/whatif": {"gather", "platform"},
	"internal/runreport": {"auto", "internal/framefile", "draw/text", "gather", "process", "process/report",
		"internal/asjson", "internal/sampled", "internal/printed"},
	"internal/integration":      {},
	"internal/integration/api":  {},
	"internal/prometheustest":   {},
	"internal/outfile":          {},
	"internal/outlines":         {},
	"internal/outlines/gofonts": {"internal/outlines"},
	"internal/outfiletest":      {},
	"internal/pngfile":          {},
	"internal/pprofread":        {"internal/budget", "internal/protobuf"},
	"internal/printed":          {},
	"internal/progress":         {},
	"internal/protobuf":         {},
	"internal/fleets":           {},
	"internal/changes":          {"draw/text", "process", "process/report", "gather"},
	"internal/zonecolor":        {"process/report", "gather", "internal/measure"},
	"internal/beside":           {},
	"internal/remote":           {"process", "internal/budget", "internal/follow"},
	"internal/scratch":          {"internal/outfile"},
	"internal/serve":            {},
	"internal/planted":          {"", "gather", "internal/framefile", "platform", "process"},
	"internal/world":            {"process", "gather", "platform"},
	"internal/sampledump":       {"process", "process/report", "gather", "platform", "internal/world"},
	"internal/extremes":         {"internal/framefile", "process", "gather", "platform"},
	"internal/version":          {},
	"internal/web": {"gather", "process/report", "internal/outfile", "internal/scratch",
		"internal/serve"},
	"internal/web/pack": {"internal/web"},
	"internal/web/wasm": {}, // in a browser it has draw, draw/soft, fonts, input, shaders, internal/desk
	"internal/workload": {"", "internal/world", "process", "platform"},
	"internal/xvfbtest": {},
	"tools":             {},
	"tools/mutate":      {},

	"internal/integration/growth": {},
	"tools/real": {"auto", "capture", "internal/golden", "internal/instrument", "internal/runreport",
		"internal/xvfbtest", "process/report"},
}

const (
	cgo    = "C"
	openGL = "github.com/go-gl/gl/v3.3-core/gl"
	glfw   = "github.com/go-gl/glfw/v3.3/glfw"
)

// never lists what a package must not reach, even through others. (C itself is only looked for in the package.)
var never = map[string][]string{
	"platform":     {cgo, "runtime/cgo", "net"},
	"shaders":      {cgo},
	"wait":         {cgo, "net"},
	"fonts":        {cgo},
	"fonts/system": {cgo, "net"},
	"gather":       {cgo, "net"},
	"process":      {cgo, "net"},
	"draw":         {cgo, "net", "image/png"},
	"viewer":       {cgo, "net", "image/png", openGL},
	"draw/soft":    {cgo, "net"},
	"draw/gl":      {"net", glfw},
	"draw/text":    {cgo, "net/http"},
	"draw/html":    {cgo, "net/http"},
	"input":        {cgo, glfw},
	"console":      {cgo, "net", "net/http", openGL},
	"":             {cgo, "net/http", openGL},
	"capture":      {cgo, "net"},
	"iproftest":    {cgo, "net/http", openGL},
	"export":       {cgo, "net"},
	"debug":        {cgo, openGL, glfw},

	"internal/desk": {cgo, "net", openGL, glfw},
}

// needCgo are the packages that do not build without cgo. A server that profiles itself must never link X11.
var needCgo = []string{"cmd/glviewer", "examples/game"}

// inRoot is a command that runs in the module's folder.
func inRoot(name string, args ...string) *exec.Cmd {
	cmd := exec.Command(name, args...)
	cmd.Dir = root
	return cmd
}

// listed is the go command's description of a package.
type listed struct {
	ImportPath    string
	GoFiles       []string // those that this platform builds, without tests
	Imports, Deps []string
	Module        *struct{ Path string }
}

// name is the package's folder; the root's is empty.
func (p listed) name() string {
	return strings.TrimPrefix(strings.TrimPrefix(p.ImportPath, p.Module.Path), "/")
}

// list returns all packages of the module.
func list(t *testing.T) (module string, packages []listed) {
	t.Helper()
	packages = must.Get(all())(t)
	return packages[0].Module.Path, packages
}

// all asks the go command once for all tests.
var all = sync.OnceValues(func() (packages []listed, err error) {
	cmd := inRoot("go", "list", "-json=ImportPath,GoFiles,Imports,Deps,Module", "./...")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=1")
	out, err := cmd.Output()
	for decoder := json.NewDecoder(bytes.NewReader(out)); err == nil && decoder.More(); {
		var p listed
		err = decoder.Decode(&p)
		packages = append(packages, p)
	}
	return packages, err
})

func TestImportsFollowTheTable(t *testing.T) {
	_, packages := list(t)
	for _, p := range packages {
		t.Run("package="+p.name(), func(t *testing.T) { checkImports(t, p) })
	}
}

func checkImports(t *testing.T, p listed) {
	allowed, known := mayImport[p.name()]
	if !known {
		t.Fatal("got no row in the import table; every package has one")
	}
	for _, imported := range p.Imports {
		ours, ok := strings.CutPrefix(imported, p.Module.Path)
		if ok && !slices.Contains(allowed, strings.TrimPrefix(ours, "/")) {
			t.Errorf("it imports %s; the table allows %q", imported, allowed)
		}
	}
	for _, banned := range never[p.name()] {
		if slices.Contains(p.Imports, banned) || banned != cgo && slices.Contains(p.Deps, banned) {
			t.Errorf("it reaches %s, which it must never", banned)
		}
	}
}

// A row that no package needs hides a mistake: a misspelt or forgotten name forbids nothing.
func TestImportTableNamesOnlyPackages(t *testing.T) {
	_, packages := list(t)
	there := map[string]bool{}
	for _, p := range packages {
		there[p.name()] = true
	}
	check := func(table, name string) {
		if !there[name] {
			t.Errorf("%s names %q; the module has no such package", table, name)
		}
	}
	for name, allowed := range mayImport {
		check("the import table", name)
		for _, imported := range allowed {
			check("the row of "+name, imported)
		}
	}
	for name := range never {
		check("the table of what is never reached", name)
	}
	for _, name := range needCgo {
		check("the list of what needs cgo", name)
	}
}

func TestImportsNeedNoCgo(t *testing.T) {
	longtest.Skip(t)
	_, packages := list(t)
	args := []string{"vet"}
	for _, p := range packages {
		if !slices.Contains(needCgo, p.name()) {
			args = append(args, p.ImportPath)
		}
	}
	cmd := inRoot("go", args...)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("without cgo: %v\n%s", err, out)
	}
}

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
	folders = append(slices.Compact(folders), "internal/web/wasm")
	for _, module := range []string{"cmd/iprof-query", "cmd/iprofvet", "exectrace"} {
		folders = append(folders, packagesOf(t, module)...)
	}
	return folders
}

// packagesOf returns the folders of the packages of a nested module.
func packagesOf(t *testing.T, module string) (folders []string) {
	t.Helper()
	must.Do(t, fs.WalkDir(os.DirFS(root), module, func(path string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case e.IsDir() && e.Name() == "testdata":
			return fs.SkipDir
		case strings.HasSuffix(path, ".go") && !strings.HasSuffix(path, "_test.go"):
			folders = append(folders, filepath.ToSlash(filepath.Dir(path)))
		}
		return nil
	}))
	return slices.Compact(folders)
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

// One server has the limits and the guard, so no package but internal/serve opens a port or makes a server.
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

	"cmd/iprof-query/agent/folders.go":           "reads only: a root that no link leads out of",
	"cmd/iprof-query/internal/machines/fleet.go": "the captures of simulated machines, in a folder of a test",

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

// Each kind of file is made in one place, so each has its permissions, follows no link where it must not, and leaves
// what was there after an error. An exception that is none any more has to go.
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
