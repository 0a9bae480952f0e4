// SPDX-License-Identifier: GPL-2.0
/*
 * What each action of a filter does to a call and to the task that made it, which
 * of several filters decides, and strict mode (C02 of the contract; TRAP has its
 * own program). A call that is not run has no side effect, and no register but x0
 * shows that there was a filter. kernel/seccomp.c __seccomp_filter() decides.
 */
#include <pthread.h>

#include "rules.h"
#include "tracee.h"

#define MAX_ERRNO	4095	/* the kernel's: the largest error that a call can return */

/* One child that makes the filtered call, seen from both sides. */
struct task {
	__u32 action[2];		/* SCMP_ACT_*, one filter for each */
	unsigned int filters;		/* how many there are */
	bool handler, ignore, block;	/* SIGSYS */
	struct svc_frame f;		/* the call */
	unsigned int returned, handled;	/* the call; SIGSYS */
	unsigned int went_on;		/* the other thread, after the caller's end */
};

static struct task *task;

static struct task *new_task(unsigned int filters, __u32 first, __u32 second)
{
	need_filters();
	task = shared_alloc(sizeof(*task));
	task->filters = filters;
	task->action[0] = first;
	task->action[1] = second;
	effect_pipe();
	effect_call(&task->f);
	return task;
}

static void on_sigsys(int sig)
{
	(void)sig;
	task->handled++;
}

static void set_sigsys(const struct task *t)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGSYS);
	if (t->handler || t->ignore)
		signal(SIGSYS, t->ignore ? SIG_IGN : on_sigsys);
	if (t->block)
		sigprocmask(SIG_BLOCK, &set, NULL);
}

static void load_filters(const struct task *t)
{
	for (unsigned int i = 0; i < t->filters; i++) {
		scmp_filter_ctx f = filter_new(SCMP_ACT_ALLOW);

		filter_effect(f, t->action[i]);
		filter_load(f);
	}
}

static void *make_call(void *arg)
{
	struct task *t = arg;

	svc_run(&t->f);
	t->returned = 1;
	return NULL;
}

static void only_thread(void *arg)
{
	struct task *t = arg;

	set_sigsys(t);
	load_filters(t);
	make_call(t);
}

/* The leader waits for the end of the thread that makes the call. */
static void second_thread(void *arg)
{
	struct task *t = arg;
	pthread_t thread;

	set_sigsys(t);
	load_filters(t);
	if (pthread_create(&thread, NULL, make_call, t))
		case_die("no thread");
	pthread_join(thread, NULL);
	t->went_on = 1;
}

static pthread_t leader;

static void *outlive_leader(void *arg)
{
	struct task *t = arg;

	pthread_join(leader, NULL);
	t->went_on = 1;
	svc_exit(7);
}

static void leader_of_two(void *arg)
{
	struct task *t = arg;
	pthread_t thread;

	set_sigsys(t);
	load_filters(t);
	leader = pthread_self();
	if (pthread_create(&thread, NULL, outlive_leader, t))
		case_die("no thread");
	make_call(t);
}

FIXTURE(action_returns) {
};

FIXTURE_VARIANT(action_returns) {
	__u32 action, fallback;	/* the call's, and that of all others */
	__u64 x0;
	unsigned int bytes;	/* that the call writes */
};

FIXTURE_VARIANT_ADD(action_returns, allow) {
	.action = SCMP_ACT_ALLOW, .fallback = SCMP_ACT_ERRNO(ENOSYS), .x0 = 1, .bytes = 1,
};

FIXTURE_VARIANT_ADD(action_returns, log) {
	.action = SCMP_ACT_LOG, .fallback = SCMP_ACT_ALLOW, .x0 = 1, .bytes = 1,
};

FIXTURE_VARIANT_ADD(action_returns, errno_eacces) {
	.action = SCMP_ACT_ERRNO(EACCES), .fallback = SCMP_ACT_ALLOW, .x0 = (__u64)-EACCES,
};

FIXTURE_VARIANT_ADD(action_returns, errno_0) {
	.action = SCMP_ACT_ERRNO(0), .fallback = SCMP_ACT_ALLOW, .x0 = 0,
};

FIXTURE_SETUP(action_returns)
{
}

FIXTURE_TEARDOWN(action_returns)
{
}

/* One filter: action[0] for the call, action[1] for all else but the child's exit. */
static void run_under_fallback(void *arg)
{
	struct task *t = arg;
	scmp_filter_ctx f = filter_new(t->action[1]);

	filter_effect(f, t->action[0]);
	if (t->action[1] != SCMP_ACT_ALLOW)
		filter_add(f, SCMP_ACT_ALLOW, __NR_exit_group, 0, NULL);
	filter_load(f);
	make_call(t);
}

TEST_F(action_returns, result_and_keeps_registers)
{
	struct task *t;
	char end[64];

	PINS("C02");
	t = new_task(2, variant->action, variant->fallback);
	child_run(run_under_fallback, t, end, sizeof(end));
	check_str("the end of the child", "exited 0", end);
	check_frame(&t->f, variant->x0);
	check_eq("bytes that the call wrote", variant->bytes, effect_count());
}

TEST(errno_action_returns_each_error_and_clamps_at_4095)
{
	struct svc_frame f;
	char what[64];

	PINS("C02");
	need_filters();
	filter_data_from_arg1(SECCOMP_RET_ERRNO);
	/* Each value that is an error, and above them one in 221, up to the last. */
	for (unsigned int data = 0; data <= SECCOMP_RET_DATA; data += data <= 4096 ? 1 : 221) {
		const unsigned int error = data < MAX_ERRNO ? data : MAX_ERRNO;

		svc_fill(&f, __NR_getuid, 2, svc_pattern(0), U64(data));
		svc_run(&f);
		snprintf(what, sizeof(what), "result of ERRNO with data %u", data);
		if (!check_eq(what, -U64(error), f.x_out[0]))
			break;
	}
	check_frame(&f, U64(-MAX_ERRNO));
}

FIXTURE(kill) {
};

/* Who makes the call, and what is left of the process. */
FIXTURE_VARIANT(kill) {
	__u32 action;
	void (*body)(void *task);
	bool handler, ignore, block;
	const char *end;
	unsigned int went_on;
};

FIXTURE_VARIANT_ADD(kill, process_by_only_thread) {
	.action = SCMP_ACT_KILL_PROCESS, .body = only_thread, .end = "killed SIGSYS",
};

FIXTURE_VARIANT_ADD(kill, process_by_second_thread) {
	.action = SCMP_ACT_KILL_PROCESS, .body = second_thread, .end = "killed SIGSYS",
};

FIXTURE_VARIANT_ADD(kill, process_by_leader) {
	.action = SCMP_ACT_KILL_PROCESS, .body = leader_of_two, .end = "killed SIGSYS",
};

FIXTURE_VARIANT_ADD(kill, process_with_sigsys_handler) {
	.action = SCMP_ACT_KILL_PROCESS, .body = only_thread, .end = "killed SIGSYS",
	.handler = true,
};

FIXTURE_VARIANT_ADD(kill, process_with_sigsys_ignored) {
	.action = SCMP_ACT_KILL_PROCESS, .body = only_thread, .end = "killed SIGSYS",
	.ignore = true,
};

FIXTURE_VARIANT_ADD(kill, process_with_sigsys_blocked) {
	.action = SCMP_ACT_KILL_PROCESS, .body = only_thread, .handler = true, .block = true,
	.end = "killed SIGSYS",
};

/* The last thread of a process takes it along. */
FIXTURE_VARIANT_ADD(kill, thread_by_only_thread) {
	.action = SCMP_ACT_KILL_THREAD, .body = only_thread, .handler = true,
	.end = "killed SIGSYS",
};

FIXTURE_VARIANT_ADD(kill, thread_by_second_thread) {
	.action = SCMP_ACT_KILL_THREAD, .body = second_thread, .handler = true,
	.end = "exited 0", .went_on = 1,
};

/* The leader's death is not the process's: the other thread's exit status counts. */
FIXTURE_VARIANT_ADD(kill, thread_by_leader) {
	.action = SCMP_ACT_KILL_THREAD, .body = leader_of_two, .end = "exited 7", .went_on = 1,
};

FIXTURE_SETUP(kill)
{
}

FIXTURE_TEARDOWN(kill)
{
}

static void check_killed(const struct task *t, const char *expected, const char *end)
{
	check_str("the end of the process", expected, end);
	check_eq("returns of the call that must kill", 0, t->returned);
	check_eq("runs of the SIGSYS handler", 0, t->handled);
	check_eq("bytes that the call wrote", 0, effect_count());
}

TEST_F(kill, ends_what_it_names)
{
	struct task *t;
	char end[64];

	PINS("C02");
	t = new_task(1, variant->action, 0);
	t->handler = variant->handler;
	t->ignore = variant->ignore;
	t->block = variant->block;
	child_run(variant->body, t, end, sizeof(end));
	check_killed(t, variant->end, end);
	check_eq("threads that went on", variant->went_on, t->went_on);
}

/* Raw BPF: libseccomp refuses an action that it does not know. */
static void run_under_unknown_action(void *arg)
{
	struct task *t = arg;
	struct sock_filter insns[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[0])),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, EFFECT_FD, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, t->action[0]),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};

	set_sigsys(t);
	filter_load_raw(insns, ARRAY_SIZE(insns));
	make_call(t);
}

TEST(unknown_action_kills_process)
{
	static const __u32 unknown[] = { 0x00010000, 0x00040000, 0x7ffd0000 };
	char end[64];

	PINS("C02");
	for (unsigned int i = 0; i < ARRAY_SIZE(unknown); i++) {
		struct task *t = new_task(1, unknown[i], 0);

		t->handler = true;
		transcript("action 0x%x", unknown[i]);
		child_run(run_under_unknown_action, t, end, sizeof(end));
		check_killed(t, "killed SIGSYS", end);
	}
}

/* From the strongest to the weakest, and what is seen of each in a second thread. */
static const struct {
	const char *name;
	__u32 action;
	const char *effect;
} order[] = {
	{ "KILL_PROCESS", SCMP_ACT_KILL_PROCESS, "process killed by SIGSYS" },
	{ "KILL_THREAD", SCMP_ACT_KILL_THREAD, "thread killed" },
	{ "TRAP", SCMP_ACT_TRAP, "SIGSYS handler ran" },
	{ "ERRNO", SCMP_ACT_ERRNO(EACCES), "returned -EACCES" },
	{ "TRACE", SCMP_ACT_TRACE(0), "returned -ENOSYS" },
	{ "LOG", SCMP_ACT_LOG, "returned 1" },
};

static const char *effect_of(const struct task *t, const char *end)
{
	static char text[64];

	if (!strcmp(end, "killed SIGSYS"))
		return "process killed by SIGSYS";
	if (strcmp(end, "exited 0"))
		return end;
	if (!t->returned)
		return "thread killed";
	if (t->handled)
		return "SIGSYS handler ran";
	snprintf(text, sizeof(text), "returned %s", value_name(t->f.x_out[0]));
	return text;
}

TEST(strongest_action_of_two_filters_decides_in_either_order)
{
	char end[64], what[96];

	PINS("C02");
	for (unsigned int i = 0; i < ARRAY_SIZE(order) * ARRAY_SIZE(order); i++) {
		const unsigned int a = i / ARRAY_SIZE(order), b = i % ARRAY_SIZE(order);
		struct task *t = new_task(2, order[a].action, order[b].action);

		t->handler = true;
		child_run(second_thread, t, end, sizeof(end));
		snprintf(what, sizeof(what), "effect of a filter with %s, then one with %s",
			 order[a].name, order[b].name);
		check_str(what, order[a < b ? a : b].effect, effect_of(t, end));
		check_eq("bytes that the call wrote", order[a].action == SCMP_ACT_LOG &&
			 order[b].action == SCMP_ACT_LOG, effect_count());
	}
}

TEST(newest_filter_decides_the_data_of_equal_actions)
{
	struct task *t;
	char end[64];

	PINS("C02");
	t = new_task(2, SCMP_ACT_ERRNO(EACCES), SCMP_ACT_ERRNO(EBUSY));
	child_run(only_thread, t, end, sizeof(end));
	check_str("the end of the child", "exited 0", end);
	check_frame(&t->f, U64(-EBUSY));
}
