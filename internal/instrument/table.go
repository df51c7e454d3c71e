package instrument

import (
	"fmt"
	"strings"
)

// table is the table of zones of one rewritten file: a package variable behind the file's last line.
type table struct {
	auto  string // name of the imported package
	name  string // of the variable
	std   bool   // in a package of the standard library
	links bool   // with linknames in place of an import
	old   bool   // the language has no type parameters
	zones []zone

	spawns int // go statements
}

type zone struct {
	label    string
	idle     bool
	computes bool // it never waits
	loose    bool // see gather.Zone.Loose
}

// add returns the expression for a new zone.
func (t *table) add(z zone) string {
	t.zones = append(t.zones, z)
	return fmt.Sprintf("%s[%d]", t.name, len(t.zones)-1)
}

// deferred returns a statement that measures the rest of the function.
func (t *table) deferred(zone string) string {
	if t.links {
		return fmt.Sprintf(" if iprofLive(&%s) { defer iprofEnd(iprofBegin(&%[1]s)) };", zone)
	}
	if t.std {
		return fmt.Sprintf(" if %s.Live() { defer %[1]s.Begin().End() };", zone)
	}
	const text = " if %[1]sScope := %[2]s.Begin(); %[1]s.Opened(%[1]sScope) { defer %[1]sScope.End() };"
	return fmt.Sprintf(text, t.auto, zone)
}

// deferredMain is deferred for function main, which may be short, or end by a panic.
func (t *table) deferredMain(zone string) string {
	const text = " if %[1]sScope := %[2]s.Begin(); %[1]s.Opened(%[1]sScope) {" +
		" %[1]s.AtMain(); defer %[1]s.EndMain(%[1]sScope) };"
	return fmt.Sprintf(text, t.auto, zone)
}

// begin returns the expression that enters a zone.
func (t *table) begin(zone string) string {
	if t.links {
		return "iprofBegin(&" + zone + ")"
	}
	return zone + ".Begin()"
}

// around returns the text before and behind a measured statement.
func (t *table) around(zone string) (before, behind string) {
	scope := t.auto + "Scope"
	before = "{ " + scope + " := " + t.begin(zone) + "; "
	if t.links {
		return before, "; iprofEnd(" + scope + ")"
	}
	return before, "; " + scope + ".End()"
}

// spawnName returns the name of the variable with the file's go statements.
func (t *table) spawnName() string { return t.name + "Spawns" }

// declaration returns the source text of the table.
func (t *table) declaration() string {
	spawns := ""
	if t.spawns > 0 {
		spawns = fmt.Sprintf("var %s [%d]%s.Spawn\n", t.spawnName(), t.spawns, t.auto)
	}
	if len(t.zones) == 0 {
		return "var _ " + t.auto + ".Zone\n" + spawns
	}
	of := t.auto + ".Zone"
	if t.links {
		of = "iprofZone"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "var %s = [%d]%s{\n", t.name, len(t.zones), of)
	for _, z := range t.zones {
		computes := ""
		if z.computes {
			computes = ", Computes: true"
		}
		if z.loose {
			computes += ", Loose: true"
		}
		fmt.Fprintf(&b, "\t{Name: %q, Idle: %t%s},\n", z.label, z.idle, computes)
	}
	b.WriteString("}\n" + spawns)
	return b.String()
}
