package instrument

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// There is one CPU profile at a time. So when the program begins one, the profiler's own ends first. That happens in
// StartCPUProfile of the standard library, whoever calls it: the program, a dependency, or net/http/pprof.

const (
	profiles     = "runtime/pprof"
	yieldPackage = autoPackage + "/yield"
	startProfile = "func StartCPUProfile(w io.Writer) error {"
	callYield    = " if iprofBefore != nil { iprofBefore() };"
	declareYield = "\n//go:linkname iprofBefore\nvar iprofBefore func()\n"
)

// hookProfiles finds StartCPUProfile if the program has it. If its text is not the one that is known, ProfilesItself
// is set.
func (p *Plan) hookProfiles(all []*listed) {
	at := slices.IndexFunc(all, func(l *listed) bool { return l.Standard && l.ImportPath == profiles })
	if at < 0 {
		return
	}
	own := filepath.Join(all[at].Dir, "pprof.go")
	text, err := os.ReadFile(own)
	if err == nil && strings.Count(string(text), startProfile) == 1 && strings.Contains(string(text), `"unsafe"`) {
		p.hooked = string(text)
		p.options.Imports = append(slices.Clone(p.options.Imports), yieldPackage)
	} else {
		p.ProfilesItself = slices.ContainsFunc(all, (*listed).profiles)
	}
}

// writeHook adds the rewritten file of runtime/pprof to the overlay.
func (p *Plan) writeHook(overlay map[string]string) (err error) {
	if p.hooked == "" {
		return nil
	}
	own := filepath.Join(p.env.GOROOT, "src", filepath.FromSlash(profiles), "pprof.go")
	text := strings.Replace(p.hooked, startProfile, startProfile+callYield, 1) + declareYield
	overlay[own], err = p.write(own, []byte(text))
	return err
}
