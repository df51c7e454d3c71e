//go:build unix

package outfile_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"example.com/iprof/internal/must"
	"example.com/iprof/internal/outfile"
	"example.com/iprof/internal/outfiletest"
)

// inCache makes a folder the user's cache, and returns it.
func inCache(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "cache")
	must.Do(t, os.Mkdir(dir, 0o700))
	t.Setenv("XDG_CACHE_HOME", dir)
	if runtime.GOOS == "darwin" {
		t.Skip("macOS has the cache in HOME only")
	}
	return dir
}

// Where another user could change it, or lead it elsewhere, there is none.
func TestACacheIsTheUsersOwn(t *testing.T) {
	for _, test := range caches {
		t.Run(test.name, func(t *testing.T) {
			cache := inCache(t)
			test.prepare(t, cache)
			dir, err := outfile.Cache("fonts")
			if test.own != (err == nil) {
				t.Fatalf("got %q, %v; want a cache: %t", dir, err, test.own)
			}
			if !test.own {
				return
			}
			name := filepath.Join(dir, "index")
			must.Do(t, outfile.Keep(name, []byte("old")))
			must.Do(t, outfile.Keep(name, []byte("new")))
			text, err := os.ReadFile(name)
			info, _ := os.Stat(name)
			if string(text) != "new" || err != nil || info.Mode() != 0o600 {
				t.Errorf("got %q, %v, %v; want new for the owner", text, err, info.Mode())
			}
			outfiletest.OnlyFiles(t, dir, "index")
		})
	}
}

// others returns a preparation that only root can make.
func others(prepare func(t *testing.T, cache string)) func(*testing.T, string) {
	return func(t *testing.T, cache string) {
		if os.Geteuid() != 0 {
			t.Skip("only root makes files of other users")
		}
		prepare(t, cache)
	}
}

var caches = []struct {
	name    string
	prepare func(t *testing.T, cache string)
	own     bool
}{
	{"nothing there", func(*testing.T, string) {}, true},
	{"its own", func(t *testing.T, cache string) { must.Do(t, os.Mkdir(filepath.Join(cache, "iprof"), 0o700)) }, true},
	{"the cache by a link of one's own", func(t *testing.T, cache string) {
		must.Do(t, os.Rename(cache, cache+"2"))
		must.Do(t, os.Symlink(cache+"2", cache))
	}, true},
	{"in a folder for all", func(t *testing.T, cache string) {
		must.Do(t, os.Chmod(cache, 0o777|fs.ModeSticky))
	}, true},
	{"in a folder of all", func(t *testing.T, cache string) { must.Do(t, os.Chmod(cache, 0o777)) }, false},
	{"below a folder of all", func(t *testing.T, cache string) {
		must.Do(t, os.Chmod(filepath.Dir(cache), 0o777))
	}, false},
	{"for all itself", func(t *testing.T, cache string) {
		must.Do(t, os.MkdirAll(filepath.Join(cache, "iprof", "fonts"), 0o700))
		must.Do(t, os.Chmod(filepath.Join(cache, "iprof", "fonts"), 0o777|fs.ModeSticky))
	}, false},
	{"by a link to a folder of all", func(t *testing.T, cache string) {
		must.Do(t, os.Mkdir(cache+"2", 0o700))
		must.Do(t, os.Chmod(cache+"2", 0o777))
		must.Do(t, os.Symlink(cache+"2", filepath.Join(cache, "iprof")))
	}, false},
	{"another user's", others(func(t *testing.T, cache string) {
		must.Do(t, os.MkdirAll(filepath.Join(cache, "iprof", "fonts"), 0o700))
		must.Do(t, os.Chown(filepath.Join(cache, "iprof", "fonts"), 12345, 0))
	}), false},
	{"by another user's link", others(func(t *testing.T, cache string) {
		must.Do(t, os.Mkdir(cache+"2", 0o700))
		must.Do(t, os.Symlink(cache+"2", filepath.Join(cache, "iprof")))
		must.Do(t, os.Lchown(filepath.Join(cache, "iprof"), 12345, 0))
	}), false},
}

// TestKeepFolder keeps all files or none, and no folder that is there already.
func TestKeepFolder(t *testing.T) {
	dir := filepath.Join(inCache(t), "iprof", "viewer", "1")
	must.Do(t, outfile.KeepFolder(dir, map[string][]byte{"a": []byte("A"), "b": nil}))
	outfiletest.OnlyFiles(t, dir, "a", "b")
	if err := outfile.KeepFolder(dir, map[string][]byte{"c": nil}); err == nil {
		t.Error("again: got no error")
	}
	if err := outfile.KeepFolder(dir+"2", map[string][]byte{"a\x00b": nil, "d": nil}); err == nil {
		t.Error("a file that cannot be: got no error")
	}
	outfiletest.OnlyFiles(t, filepath.Dir(dir), "1")
}

// A recording is new, and only its owner may read it.
func TestNewFollowsNoLink(t *testing.T) {
	dir := t.TempDir()
	name, victim := filepath.Join(dir, "a.iprof"), filepath.Join(dir, "victim")
	f, err := outfile.New(name)
	must.Do(t, err)
	f.Close()
	if info, err := os.Lstat(name); err != nil || info.Mode() != 0o600 {
		t.Errorf("got %v, %v; want it for the owner", info.Mode(), err)
	}
	if _, err := outfile.New(name); !errors.Is(err, fs.ErrExist) {
		t.Errorf("again: got %v", err)
	}
	for _, to := range []string{victim, filepath.Join(dir, "none")} {
		link := filepath.Join(dir, "link-"+filepath.Base(to))
		must.Do(t, os.WriteFile(victim, []byte("old"), 0o600))
		must.Do(t, os.Symlink(to, link))
		if _, err := outfile.New(link); !errors.Is(err, fs.ErrExist) {
			t.Errorf("a link: got %v; want it refused", err)
		}
	}
	outfiletest.OnlyFiles(t, dir, "a.iprof", "link-none", "link-victim", "victim")
}

// /dev/stdout may be a file that the shell writes to, and others after it.
func TestAStreamIsNotReplaced(t *testing.T) {
	name := filepath.Join(t.TempDir(), "log")
	must.Do(t, os.WriteFile(name, []byte("before, "), 0o600))
	log, err := os.OpenFile(name, os.O_WRONLY|os.O_APPEND, 0)
	must.Do(t, err)
	defer log.Close()
	stdout := os.Stdout
	os.Stdout = log
	err = outfile.Write(name, hello)
	os.Stdout = stdout
	must.Do(t, err)
	if _, err := log.WriteString(", after"); err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(name); string(text) != "before, hello, after" {
		t.Errorf("got %q, %v", text, err)
	}
}

// A folder that is not there has another.
func TestADiskWithoutSpace(t *testing.T) {
	dir := t.TempDir()
	if err := outfile.HasSpace(dir); err != nil {
		t.Error(err)
	}
	outfiletest.OnlyFiles(t, dir)
}
