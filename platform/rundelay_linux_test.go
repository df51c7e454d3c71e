package platform_test

import (
	"os"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"example.com/iprof/internal/must"
	"example.com/iprof/platform"
)

// kernelDelay reads the run delay of the calling thread as a shell would.
func kernelDelay(t testing.TB) time.Duration {
	t.Helper()
	text, err := os.ReadFile("/proc/thread-self/schedstat")
	if err != nil {
		t.Skip("the kernel does not report run delays")
	}
	n := must.Get(strconv.ParseInt(strings.Fields(string(text))[1], 10, 64))(t)
	return time.Duration(n)
}

// Each thread gets its own figure, between two that the kernel tells, whichever thread reads it and however many
// threads were read before.
func TestRunDelayIsTheKernels(t *testing.T) {
	kernelDelay(t)
	var m platform.DelayMeter
	const threads = 20 // more than a meter keeps open
	ids := make([]int, threads)
	turn, done := make(chan int), make(chan bool)
	defer func() {
		for range threads {
			turn <- -1
		}
	}()
	for range threads {
		go func() {
			runtime.LockOSThread()
			defer runtime.UnlockOSThread()
			for i := range turn {
				if i < 0 {
					return
				}
				low := kernelDelay(t)
				id, delay, ok := m.Read()
				if high := kernelDelay(t); !ok || id != syscall.Gettid() || delay < low || delay > high {
					t.Errorf("thread %d: got %v of thread %d, %v; want %v to %v", syscall.Gettid(), delay, id, ok,
						low, high)
				}
				if ids[i] = id; i > 0 {
					before, ok := m.Of(ids[i-1])
					again, same := m.Of(ids[i-1])
					if !ok || !same || again < before {
						t.Errorf("the thread before: got %v, then %v; want the same or more", before, again)
					}
				}
				done <- true
			}
		}()
	}
	for i := range 2 * threads {
		turn <- i % threads
		<-done
	}
	for _, process := range []int{0, os.Getpid()} {
		if sum, ok := platform.ProcessDelay(process); !ok || sum < kernelDelay(t) {
			t.Errorf("process %d: got %v, %v; want at least this thread's", process, sum, ok)
		}
	}
}

// endedThread reads the run delay of a thread that then ends, and returns its number. The first thread of a process
// never ends.
func endedThread(m *platform.DelayMeter) int {
	read := make(chan int)
	go func() {
		runtime.LockOSThread() // if never unlocked, the thread ends with the goroutine
		if syscall.Gettid() == syscall.Getpid() {
			read <- endedThread(m) // on another thread, as this one is taken
			runtime.UnlockOSThread()
			return
		}
		id, _, _ := m.Read()
		read <- id
	}()
	return <-read
}

// A thread that is not, or is no more, has none.
func TestRunDelayOfNoThread(t *testing.T) {
	kernelDelay(t)
	var m platform.DelayMeter
	id := endedThread(&m)
	for name := "/proc/self/task/" + strconv.Itoa(id); ; runtime.Gosched() {
		if _, err := os.Stat(name); err != nil {
			break
		}
	}
	for _, id := range []int{id, -1, 1 << 29} {
		if delay, ok := m.Of(id); ok {
			t.Errorf("thread %d: got %v; want none", id, delay)
		}
	}
}

// The program's own files get the numbers that they had without a meter.
func TestRunDelayTakesNoNumbers(t *testing.T) {
	kernelDelay(t)
	next := func() int {
		fd := must.Get(syscall.Open("/dev/null", syscall.O_RDONLY|syscall.O_CLOEXEC, 0))(t)
		syscall.Close(fd)
		return fd
	}
	want := next()
	var m platform.DelayMeter
	if _, _, ok := m.Read(); !ok {
		t.Fatal("got no reading")
	}
	if got := next(); got != want {
		t.Errorf("the next file: got number %d; want %d", got, want)
	}
}

// The files fit in the table of files of a new process, which has 64. To grow it, the kernel stops the thread for some
// 10 ms, in the first frame of the program.
func TestRunDelayDoesNotGrowTheTableOfFiles(t *testing.T) {
	kernelDelay(t)
	var m platform.DelayMeter
	if _, _, ok := m.Read(); !ok {
		t.Fatal("got no reading")
	}
	least := 1 << 30 // other tests may hold some, too
	for _, link := range must.Get(os.ReadDir("/proc/self/fd"))(t) {
		to, err := os.Readlink("/proc/self/fd/" + link.Name())
		if err != nil || !strings.HasSuffix(to, "/schedstat") {
			continue
		}
		least = min(least, must.Get(strconv.Atoi(link.Name()))(t))
	}
	if least >= 64 {
		t.Errorf("got file numbers from %d on; want them below 64", least)
	}
}

// BenchmarkRunDelay is the cost of one reading on a thread that has been read before.
func BenchmarkRunDelay(b *testing.B) {
	kernelDelay(b)
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	var m platform.DelayMeter
	for b.Loop() {
		m.Read()
	}
}
