// SPDX-License-Identifier: GPL-2.0
/*
 * The program that a tracer emulates: see emulated.h. It is a program like others,
 * with libc's start and end around it. It writes nothing that differs from run to
 * run: no ids, addresses or times.
 */
#include <asm/unistd.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "emulated.h"

#define THREADS		3
#define ROUNDS		8

/* One write() each: dprintf() would make other calls, too. */
static void __attribute__((format(printf, 1, 2))) say(const char *fmt, ...)
{
	char line[256];
	va_list args;
	int n;

	va_start(args, fmt);
	n = vsnprintf(line, sizeof(line), fmt, args);
	va_end(args);
	if (write(STDOUT_FILENO, line, (size_t)n) != n)
		_exit(1);
}

/* A call's result, and errno as the call left it: in one argument list it might be older. */
static void say_result(const char *what, long ret)
{
	if (ret < 0)
		say("%s: %ld errno %d\n", what, ret, errno);
	else
		say("%s: %ld\n", what, ret);
}

static void files(void)
{
	struct stat st;
	char text[32] = "";
	int fd, fd2;

	fd = open("file", O_RDWR | O_CREAT | O_EXCL, 0640);
	say("open: %d\n", fd);
	say("write: %zd\n", write(fd, "0123456789", 10));
	say("pwrite: %zd\n", pwrite(fd, "abc", 3, 4));
	say("lseek: %ld\n", (long)lseek(fd, -7, SEEK_END));
	say("read: %zd", read(fd, text, 5));
	say(" %s\n", text);
	say("pread at the end: %zd\n", pread(fd, text, sizeof(text), 10));
	say("ftruncate: %d\n", ftruncate(fd, 4096));
	say("fstat: %ld", syscall(__NR_fstat, fd, &st));
	say(" %ld %o\n", (long)st.st_size, st.st_mode);
	fd2 = dup(fd);
	say_result("dup", fd2);
	say_result("close", close(fd));
	say_result("close again", close(fd));
	say_result("read of the copy", read(fd2, text, 1));
	say_result("its place", lseek(fd2, 0, SEEK_CUR));
	close(fd2);
	say_result("open O_EXCL", open("file", O_RDWR | O_CREAT | O_EXCL, 0640));
	say_result("open of nothing", open("none", O_RDONLY));
	say_result("stat", stat("file", &st));
	say_result("bad pointer", syscall(__NR_write, STDOUT_FILENO, 1, 1));
}

static int by_name(const void *a, const void *b)
{
	return strcmp(a, b);
}

static void directories(void)
{
	char names[16][256];
	struct dirent *entry;
	unsigned int n = 0;
	int fds[2];
	DIR *dir;
	char c = 0;

	say("mkdir: %d\n", mkdir("sub", 0700));
	dir = opendir(".");
	while (dir && (entry = readdir(dir)) && n < 16)
		snprintf(names[n++], sizeof(names[0]), "%s", entry->d_name);
	if (dir)
		closedir(dir);
	qsort(names, n, sizeof(names[0]), by_name);
	for (unsigned int i = 0; i < n; i++)
		say("name: %s\n", names[i]);
	say_result("rmdir", rmdir("sub"));
	say_result("unlink", unlink("file"));
	say_result("unlink again", unlink("file"));
	say_result("pipe", pipe(fds));
	say("ends %d %d: %zd", fds[0], fds[1], write(fds[1], "p", 1));
	say(" %zd", read(fds[0], &c, 1));
	say(" %c\n", c);
	close(fds[0]);
	close(fds[1]);
}

static char *page;

static void on_fault(int sig, siginfo_t *si, void *context)
{
	(void)context;
	say("signal %d at offset %ld, mprotect: %d\n", sig, (long)((char *)si->si_addr - page),
	    mprotect(page, 4096, PROT_READ | PROT_WRITE));
}

static void memory(void)
{
	struct sigaction sa = { .sa_sigaction = on_fault, .sa_flags = SA_SIGINFO };
	char *heap = sbrk(0), *big;

	say("brk: %d\n", sbrk(300000) == heap);
	heap[0] = 0x5a;
	heap[299999] = 0x5a;
	say("heap: %d\n", heap[0] == heap[299999]);
	say("brk back: %d\n", brk(heap));
	page = mmap(NULL, 65536 * 2, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	sigaction(SIGSEGV, &sa, NULL);
	page[100] = 'x';
	say("page: %d %c\n", page[0], page[100]);
	say("munmap: %d\n", munmap(page, 65536 * 2));
	say_result("munmap of nothing", munmap(page + 1, 4096));
	big = malloc(1000000);
	big[0] = 1;
	big[999999] = 1;
	say("malloc: %d\n", big[999999]);
	free(big);
}

static void on_signal(int sig)
{
	say("signal %d\n", sig);
}

static void signals(void)
{
	struct sigaction sa = { .sa_handler = on_signal };
	sigset_t set, pending;

	sigaction(SIGUSR1, &sa, NULL);
	sigaction(SIGUSR2, &sa, NULL);
	say("kill: %d\n", kill(getpid(), SIGUSR1));
	sigemptyset(&set);
	sigaddset(&set, SIGUSR2);
	say("block: %d\n", sigprocmask(SIG_BLOCK, &set, NULL));
	say("kill: %d\n", kill(getpid(), SIGUSR2));
	sigpending(&pending);
	say("pending: %d\n", sigismember(&pending, SIGUSR2));
	say("unblock: %d\n", sigprocmask(SIG_UNBLOCK, &set, NULL));
	signal(SIGUSR1, SIG_IGN);
	say("ignored: %d\n", raise(SIGUSR1));
}

/* Parent and child have one file position, and each its own descriptors. */
static void children(void)
{
	int fd = open("shared", O_RDWR | O_CREAT, 0600), status;
	char text[32] = "";
	pid_t pid;

	pid = fork();
	if (!pid) {
		dprintf(fd, "child %d", getppid() != getpid());
		say("close in the child: %d\n", close(fd));
		_exit(7);
	}
	say("wait: %d", waitpid(pid, &status, 0) == pid);
	say(" %d\n", WEXITSTATUS(status));
	dprintf(fd, ", parent");
	say_result("pread", pread(fd, text, sizeof(text) - 1, 0));
	say("text: %s\n", text);
	pid = fork();
	if (!pid) {
		signal(SIGTERM, SIG_DFL);
		kill(getpid(), SIGTERM);
		_exit(8);
	}
	say("wait: %d", waitpid(pid, &status, 0) == pid);
	say(" signal %d\n", WTERMSIG(status));
	say_result("wait without a child", wait(&status));
	close(fd);
	unlink("shared");
}

static struct {
	pthread_mutex_t lock;
	unsigned int count;
	int fd;
} shared = { .lock = PTHREAD_MUTEX_INITIALIZER };

static void *thread(void *number)
{
	char c = (char)('A' + (long)number);

	for (unsigned int i = 0; i < ROUNDS; i++) {
		pthread_mutex_lock(&shared.lock);
		shared.count++;
		if (i % 4 == 0)
			sched_yield();
		pthread_mutex_unlock(&shared.lock);
	}
	if (pwrite(shared.fd, &c, 1, (long)number) != 1)
		return NULL;
	return number;
}

static void threads(void)
{
	pthread_t t[THREADS];
	char text[THREADS + 1] = "";
	void *ret;

	shared.fd = open("threads", O_RDWR | O_CREAT, 0600);
	for (long i = 0; i < THREADS; i++)
		if (pthread_create(&t[i], NULL, thread, (void *)i))
			exit(1);
	for (long i = 0; i < THREADS; i++) {
		say("join: %d", pthread_join(t[i], &ret));
		say(" %d\n", ret == (void *)i);
	}
	say("count: %u\n", shared.count);
	say_result("pread", pread(shared.fd, text, THREADS, 0));
	say("text: %s\n", text);
	close(shared.fd);
	unlink("threads");
}

/* By system calls: libc would ask the vDSO. */
static void clocks_and_names(void)
{
	struct timespec a = { 0 }, b = { 0 }, ns = { 0, 1 }, res = { 0 };
	unsigned char bytes[16] = { 0 };
	struct utsname name;
	char cwd[4096];

	say("clock: %ld", syscall(__NR_clock_gettime, CLOCK_MONOTONIC, &a));
	say(" nanosleep: %d", nanosleep(&ns, NULL));
	say(" clock: %ld", syscall(__NR_clock_gettime, CLOCK_MONOTONIC, &b));
	say(" %d\n", a.tv_sec < b.tv_sec || (a.tv_sec == b.tv_sec && a.tv_nsec < b.tv_nsec));
	say("resolution: %ld %ld\n", syscall(__NR_clock_getres, CLOCK_MONOTONIC, &res), res.tv_sec);
	say_result("no clock", syscall(__NR_clock_gettime, 1000, &a));
	say("uname: %d %s %s\n", uname(&name), name.sysname, name.machine);
	say("getcwd: %d\n", getcwd(cwd, sizeof(cwd)) == cwd);
	say("getrandom: %ld\n", syscall(__NR_getrandom, bytes, sizeof(bytes), 0));
	say("ids: %d\n", getpid() == syscall(__NR_gettid));
	say_result("no call", syscall(100000));
}

static void at_exit(void)
{
	say("exit\n");
}

/* Before main() of the test, whose binary this is. */
static void __attribute__((constructor)) emulated(int argc, char **argv)
{
	if (argc != 2 || strcmp(argv[0], EMULATED_NAME))
		return;
	atexit(at_exit);
	say("chdir: %d\n", chdir(argv[1]));
	files();
	directories();
	memory();
	signals();
	children();
	threads();
	clocks_and_names();
	exit(EMULATED_EXIT);
}
