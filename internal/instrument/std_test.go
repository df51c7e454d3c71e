package instrument_test

import (
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"example.com/iprof/gather"
	"example.com/iprof/internal/instrument"
	"example.com/iprof/internal/must"
)

// TestTheZonesOfTheStandardLibrary: a server that reads and writes JSON prints the same with zones in net/http and
// encoding/json, and its report has them, below the program's own.
func TestTheZonesOfTheStandardLibrary(t *testing.T) {
	if testing.Short() {
		t.Skip("builds net/http")
	}
	offline(t)
	dir := copied(t, "corpus")
	plain := t.TempDir()
	build(t, filepath.Join(dir, "std"), plain, nil, nil)
	o := instrument.Options{Dir: filepath.Join(dir, "std"), Packages: []string{"."}, Cache: t.TempDir(),
		Std: []string{"net/http", "encoding/json"}}
	plan := must.Get(o.Plan())(t)
	zoned := built(t, o.Dir, plan)
	want, _ := run(filepath.Join(plain, "std"))
	if got, _ := run(filepath.Join(zoned, "std")); got != want || !strings.Contains(got, "item 2") {
		t.Errorf("it prints\n%s\nwithout zones\n%s", got, want)
	}
	report := reported(t, filepath.Join(zoned, "std"))
	for _, row := range []string{
		` 1 +0 +main +main\.main +main\.go:`,
		` 3 +0 +\(\*Client\)\.do +net/http\.\(\*Client\)\.do +client\.go:`,
		` 1 +0 +\(\*conn\)\.serve +net/http\.\(\*conn\)\.serve +server\.go:`,
		` 3 +0 +\(\*Decoder\)\.Decode +encoding/json\.\(\*Decoder\)\.Decode +stream\.go:`,
		` wait for eofc +net/http.* \[idle\]`,
	} {
		if !regexp.MustCompile(row).MatchString(report) {
			t.Errorf("the report has no row %s:\n%s", row, report)
		}
	}
}

// TestZonesOfTheStandardLibraryHaveTheLayoutOfOthers: the type that is written into packages of the standard library
// has the fields of gather.Zone at their offsets.
func TestZonesOfTheStandardLibraryHaveTheLayoutOfOthers(t *testing.T) {
	if !gather.Enabled {
		t.Skip("the zones that measure are not in this build")
	}
	o := instrument.Options{Dir: "../..", Packages: []string{"./examples/hello"}, Cache: t.TempDir(),
		Std: []string{"encoding/json"}} // a program that imports the profiler
	_, written := must.Two(o.Start())(t)
	own := writtenZone(t, written.Dir)
	sizes := types.SizesFor("gc", runtime.GOARCH)
	var fields []*types.Var
	for i := range own.NumFields() {
		fields = append(fields, own.Field(i))
	}
	zone, offsets := reflect.TypeFor[gather.Zone](), sizes.Offsetsof(fields)
	for i, f := range fields {
		if f.Name() == "_" {
			continue
		}
		theirs, there := zone.FieldByName(f.Name())
		if !there || int64(theirs.Offset) != offsets[i] || theirs.Type.String() != f.Type().String() {
			t.Errorf("%s is at %d; gather.Zone has it (%t) at %d", f, offsets[i], there, theirs.Offset)
		}
	}
	if size := sizes.Sizeof(own); size != int64(zone.Size()) || len(fields) < 4 {
		t.Errorf("%d bytes in %d fields; gather.Zone has %d bytes", size, len(fields), zone.Size())
	}
}

// writtenZone returns the type of zones in the rewritten files below dir.
func writtenZone(t *testing.T, dir string) *types.Struct {
	t.Helper()
	written := must.Get(filepath.Glob(filepath.Join(dir, "files", "*.go")))(t)
	for _, name := range written {
		text := must.Get(os.ReadFile(name))(t)
		_, declared, there := strings.Cut(string(text), "type iprofZone ")
		if !there {
			continue
		}
		declared, _, _ = strings.Cut(declared, "\n}\n")
		value := must.Get(types.Eval(token.NewFileSet(), nil, token.NoPos, "*new("+declared+"\n})"))(t)
		return value.Type.(*types.Struct)
	}
	t.Fatalf("no file of %d declares the type", len(written))
	return nil
}

// TestPackagesThatCannotHaveZonesAreRefused: the error says why, and what to do.
func TestPackagesThatCannotHaveZonesAreRefused(t *testing.T) {
	dir := copied(t, "corpus")
	for path, want := range map[string]string{
		"strings": "measure the functions that call it", "sync": "measure the functions that call it",
		"runtime/metrics": "runtime", "internal/poll": "programs may import", "net/smtp": "go list -deps",
		"no/such": "go list -deps",
	} {
		o := instrument.Options{Dir: dir, Packages: []string{"./std"}, Cache: t.TempDir(), Std: []string{path}}
		if _, err := o.Plan(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("-std %s: got %v; want an error with %q", path, err, want)
		}
	}
	o := instrument.Options{Dir: dir, Packages: []string{"./std"}, Flags: []string{"-tags=iprof_off"},
		Cache: t.TempDir(), Std: []string{"net/http"}}
	if _, err := o.Plan(); err == nil || !strings.Contains(err.Error(), "iprof_off") {
		t.Errorf("with the tag iprof_off: got %v; want an error that names it", err)
	}
}
