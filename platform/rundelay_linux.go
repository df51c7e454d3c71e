package platform

import (
	"bytes"
	"strconv"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// delayFiles keeps the files of the threads read last open, because opening a file takes several times as long as
// reading it. A file belongs to the thread by whose id it was opened, whichever thread reads it.
type delayFiles struct {
	open [mostDelayFiles]delayFile // the latest first
}

// delayFile is the open file of a thread. The zero value is none.
type delayFile struct{ thread, file int }

const (
	mostDelayFiles = 8
	// firstFile is the least number of an open file: the first files of the program keep the numbers that they had.
	// With these 8 it is below 64, the size of the table of files of a new process. To grow that table, the kernel
	// stops the calling thread for 10 to 40 ms if there are others (synchronize_rcu).
	firstFile = 56
)

func (d *delayFiles) read(thread int) (id int, delay time.Duration, ok bool) {
	if thread == 0 {
		thread = syscall.Gettid()
	}
	for again := range 2 {
		f := d.find(thread)
		if f == nil {
			break
		}
		if delay, ok = readDelay(f.file); ok || again > 0 {
			return thread, delay, ok
		}
		d.drop(f) // it may be of an earlier thread with this id
	}
	return thread, 0, false
}

// find returns the file of a thread, moved to the front, and opens it if necessary. It is nil if that fails.
func (d *delayFiles) find(thread int) *delayFile {
	at := len(d.open) - 1
	for i := range d.open {
		if d.open[i].thread == thread {
			at = i
			break
		}
	}
	f := d.open[at]
	if f.thread != thread {
		file, ok := openDelay(thread)
		if !ok {
			return nil
		}
		d.drop(&d.open[at])
		f = delayFile{thread, file}
	}
	copy(d.open[1:at+1], d.open[:at])
	d.open[0] = f
	return &d.open[0]
}

func (d *delayFiles) drop(f *delayFile) {
	if f.thread != 0 {
		_ = syscall.Close(f.file)
		*f = delayFile{}
	}
}

// openDelay opens the file of a thread, with a number that no file of the program would get.
func openDelay(thread int) (file int, ok bool) {
	var name [64]byte
	path := append(strconv.AppendInt(append(name[:0], "/proc/self/task/"...), int64(thread), 10), "/schedstat"...)
	low, err := syscall.Open(string(path), syscall.O_RDONLY|syscall.O_CLOEXEC, 0)
	if err != nil {
		return 0, false
	}
	file, err = unix.FcntlInt(uintptr(low), unix.F_DUPFD_CLOEXEC, firstFile)
	_ = syscall.Close(low)
	return file, err == nil
}

// readDelay reads the run delay from an open file. It uses a raw system call, because the file is never waited for.
func readDelay(file int) (delay time.Duration, ok bool) {
	var text [64]byte
	n, _, err := syscall.RawSyscall6(unix.SYS_PREAD64, uintptr(file), uintptr(unsafe.Pointer(&text[0])),
		uintptr(len(text)), 0, 0, 0)
	if err != 0 || n > uintptr(len(text)) {
		return 0, false
	}
	return parseDelay(text[:n])
}

// parseDelay reads the line of a schedstat file: time on a processor, run delay, and number of runs. See the kernel's
// documentation of sched-stats. Without a run, the kernel does not count.
func parseDelay(line []byte) (delay time.Duration, ok bool) {
	var numbers [3]int64
	for i := range numbers {
		line = bytes.TrimLeft(line, " ")
		end := 0
		for end < len(line) && line[end] >= '0' && line[end] <= '9' && numbers[i] < 1<<59 {
			numbers[i] = 10*numbers[i] + int64(line[end]-'0')
			end++
		}
		if end == 0 {
			return 0, false
		}
		line = line[end:]
	}
	return time.Duration(numbers[1]), numbers[2] > 0
}

// ProcessDelay returns the summed run delay of the threads of a process, 0 for this one, since their start. Threads
// that have ended do not count. ok is false if the system does not report it, or if the process has ended. It takes
// some microseconds for each thread. Any goroutine may call it.
func ProcessDelay(process int) (sum time.Duration, ok bool) {
	folder := "/proc/self/task"
	if process != 0 {
		folder = "/proc/" + strconv.Itoa(process) + "/task"
	}
	for _, thread := range threadsOf(folder) {
		line, err := readFile(folder + "/" + thread + "/schedstat")
		if err != nil { // the thread has ended, or the system does not report it
			continue
		}
		if delay, counted := parseDelay(line); counted {
			sum, ok = sum+delay, true
		}
	}
	return sum, ok
}

// threadsOf returns the names in a folder. It is os.ReadDir without Go's poller: see readFile.
func threadsOf(folder string) (names []string) {
	file, err := syscall.Open(folder, syscall.O_RDONLY|syscall.O_DIRECTORY|syscall.O_CLOEXEC, 0)
	if err != nil {
		return nil
	}
	defer syscall.Close(file)
	var part [4096]byte
	for {
		n, err := syscall.ReadDirent(file, part[:])
		if err == syscall.EINTR {
			continue
		}
		if err != nil || n <= 0 {
			return names
		}
		_, _, names = syscall.ParseDirent(part[:n], -1, names)
	}
}
