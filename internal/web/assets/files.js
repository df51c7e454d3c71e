// The files of the viewer: a file system in memory, in the form that Go's runtime asks for. Nothing of it outlives the page.
'use strict';
(() => {
	const nodes = new Map(); // by path: {data: Uint8Array, size, folder, time}
	const open = new Map(); // by number
	let next = 10;
	const folder = () => ({ folder: true, data: new Uint8Array(0), size: 0, time: Date.now() });
	for (const path of ['/', '/tmp', '/home', '/files']) nodes.set(path, folder());

	const clean = path => {
		const parts = [];
		for (const part of (path.startsWith('/') ? path : '/home/' + path).split('/')) {
			if (part === '..') parts.pop();
			else if (part !== '' && part !== '.') parts.push(part);
		}
		return '/' + parts.join('/');
	};
	const fail = code => Object.assign(new Error(code), { code });
	const at = path => {
		const node = nodes.get(clean(path));
		if (!node) throw fail('ENOENT');
		return node;
	};
	const handle = number => {
		const h = open.get(number);
		if (!h) throw fail('EBADF');
		return h;
	};
	const stat = node => ({
		dev: 1, ino: 1, mode: node.folder ? 0o40755 : 0o100644, nlink: 1, uid: 0, gid: 0, rdev: 0, size: node.size,
		blksize: 4096, blocks: Math.ceil(node.size / 512), atimeMs: node.time, mtimeMs: node.time, ctimeMs: node.time,
		isDirectory: () => node.folder,
	});
	const grow = (node, size) => {
		if (size > node.data.length) {
			const data = new Uint8Array(Math.max(size, 2 * node.data.length, 1 << 16));
			data.set(node.data.subarray(0, node.size));
			node.data = data;
		}
		node.size = Math.max(node.size, size);
	};
	const lines = { 1: '', 2: '' };
	const print = (fd, bytes) => {
		const all = (lines[fd] + new TextDecoder().decode(bytes)).split('\n');
		lines[fd] = all.pop();
		for (const line of all) (fd === 1 ? console.log : console.warn)(line);
		return bytes.length;
	};

	const calls = {
		open(path, flags, mode) {
			path = clean(path);
			let node = nodes.get(path);
			if (node && flags & 128 && flags & 64) throw fail('EEXIST');
			if (!node) {
				if (!(flags & 64)) throw fail('ENOENT');
				at(path.slice(0, path.lastIndexOf('/')) || '/');
				nodes.set(path, node = { folder: false, data: new Uint8Array(0), size: 0, time: Date.now() });
			}
			if (node.folder && flags & 3) throw fail('EISDIR');
			if (flags & 512) node.size = 0;
			open.set(++next, { node, at: 0, append: flags & 1024 });
			return next;
		},
		close(fd) { open.delete(fd); },
		read(fd, buffer, offset, length, position) {
			if (fd === 0) return 0;
			const h = handle(fd), from = position === null ? h.at : position;
			const n = Math.max(Math.min(length, h.node.size - from), 0);
			buffer.set(h.node.data.subarray(from, from + n), offset);
			if (position === null) h.at += n;
			return n;
		},
		write(fd, buffer, offset, length, position) {
			const bytes = buffer.subarray(offset, offset + length);
			if (fd === 1 || fd === 2) return print(fd, bytes);
			const h = handle(fd), to = h.append ? h.node.size : position === null ? h.at : position;
			grow(h.node, to + length);
			h.node.data.set(bytes, to);
			h.node.time = Date.now();
			if (position === null) h.at = to + length;
			return length;
		},
		stat(path) { return stat(at(path)); },
		lstat(path) { return stat(at(path)); },
		fstat(fd) { return fd < 3 ? stat({ size: 0, time: 0, folder: false }) : stat(handle(fd).node); },
		unlink(path) { at(path); nodes.delete(clean(path)); },
		rmdir(path) { at(path); nodes.delete(clean(path)); },
		mkdir(path) {
			if (nodes.has(clean(path))) throw fail('EEXIST');
			nodes.set(clean(path), folder());
		},
		rename(from, to) {
			const node = at(from);
			nodes.delete(clean(from));
			nodes.set(clean(to), node);
		},
		readdir(path) {
			at(path);
			const within = clean(path) === '/' ? '/' : clean(path) + '/';
			return [...nodes.keys()].filter(p => p !== '/' && p.startsWith(within) && !p.slice(within.length).includes('/'))
				.map(p => p.slice(within.length));
		},
		truncate(path, length) { const node = at(path); grow(node, length); node.size = length; },
		ftruncate(fd, length) { const { node } = handle(fd); grow(node, length); node.size = length; },
		readlink() { throw fail('EINVAL'); },
		link() { throw fail('ENOSYS'); },
		symlink() { throw fail('ENOSYS'); },
		chmod() { }, fchmod() { }, chown() { }, fchown() { }, lchown() { }, utimes() { }, fsync() { },
	};

	// A long read lets the page draw and take keys now and then: Go has one thread here, and does not interrupt itself.
	let rested = performance.now();
	const later = new MessageChannel(), waiting = [];
	later.port1.onmessage = () => {
		rested = performance.now();
		waiting.shift()();
	};
	const fs = {
		constants: { O_WRONLY: 1, O_RDWR: 2, O_CREAT: 64, O_TRUNC: 512, O_APPEND: 1024, O_EXCL: 128, O_DIRECTORY: -1 },
		writeSync(fd, buffer) { return print(fd, buffer); },
	};
	for (const [name, call] of Object.entries(calls)) {
		fs[name] = (...args) => {
			const done = args.pop();
			let answer;
			try {
				answer = [null, call(...args)];
			} catch (e) {
				answer = [e.code ? e : fail('EIO')];
			}
			if (name === 'read' && performance.now() - rested > 12) {
				waiting.push(() => done(...answer));
				later.port2.postMessage(0);
			} else {
				done(...answer);
			}
		};
	}
	globalThis.fs = fs;
	globalThis.process = { getuid: () => 0, getgid: () => 0, geteuid: () => 0, getegid: () => 0, getgroups: () => [],
		pid: 1, ppid: 0, umask: () => 0o22, cwd: () => '/home', chdir() { } };

	// What the viewer uses besides.
	globalThis.iprofFiles = {
		// rest lets the page do what waits. A hidden page, whose clocks go once a second or a minute, does it as soon.
		rest: () => new Promise(done => {
			waiting.push(done);
			later.port2.postMessage(0);
		}),
		// screen returns WebGL2 for the canvas, or null. It takes the browser a while to begin with it, so the page asks
		// for it before the program is there.
		screen: () => document.getElementById('screen').getContext('webgl2',
			{ alpha: false, antialias: false, depth: false, desynchronized: false }),
		put(path, buffer) {
			const data = new Uint8Array(buffer);
			nodes.set(clean(path), { folder: false, data, size: data.length, time: Date.now() });
		},
		// mirror puts the sentence and the table beside the canvas, for screen readers. Names are texts, never markup.
		mirror(words) {
			const now = JSON.parse(words), screen = document.getElementById('screen');
			const make = (name, text, more) => Object.assign(document.createElement(name), { textContent: text || '' }, more);
			let said = document.getElementById('said');
			if (!said) {
				said = make('p', '', { id: 'said', className: 'unseen', ariaLive: 'polite' });
				document.body.append(said, make('table', '', { id: 'rows', className: 'unseen', role: 'grid' }));
				screen.setAttribute('role', 'application');
				screen.setAttribute('aria-owns', 'rows');
				screen.setAttribute('aria-describedby', 'said');
			}
			if (said.textContent !== now.sentence) said.textContent = now.sentence;
			const head = make('tr'), body = make('tbody'), table = document.getElementById('rows');
			for (const text of now.head || []) head.append(make('th', text, { scope: 'col' }));
			(now.rows || []).forEach((cells, at) => {
				const row = make('tr', '', at === now.chosen ? { id: 'chosen', ariaSelected: 'true' } : { ariaSelected: 'false' });
				cells.forEach((text, i) => row.append(i ? make('td', text) : make('th', text, { scope: 'row' })));
				body.append(row);
			});
			const top = make('thead');
			if (now.head) top.append(head);
			table.replaceChildren(make('caption', now.caption), top, body);
			if (now.chosen < 0) screen.removeAttribute('aria-activedescendant');
			else screen.setAttribute('aria-activedescendant', 'chosen');
		},
		// download gives a file to the user, and forgets it.
		download(path) {
			const node = at(path), link = document.createElement('a');
			link.href = URL.createObjectURL(new Blob([node.data.subarray(0, node.size)]));
			link.download = clean(path).split('/').pop();
			link.click();
			setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
			nodes.delete(clean(path));
		},
	};
})();
