// Package instrument puts zones into the functions of a Go program without changing its files.
//
//	o := instrument.Options{Packages: []string{"./cmd/game"}}
//	plan, err := o.Plan()      // which functions get a zone, and why the others do not
//	build, err := plan.Write() // writes changed copies of the files, and an overlay for the go command
//	cmd := exec.Command("go", append([]string{"build"}, build.Flags...)...)
//	cmd.Env = append(os.Environ(), build.Environment...)
//
// A file is changed only by inserted bytes. An import follows the package clause, and a statement follows the opening
// brace of each chosen function. Both are on existing lines, so line numbers, stack traces, comments and directives
// stay the same. The go command reads the copies through its flag -overlay. The program's own files are never changed.
//
// Each file gets a table of zones behind its last line. The table is static data, so the order of initialisation stays
// the same.
package instrument
