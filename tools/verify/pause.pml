/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The pause protocol for the Spin model checker: device and executor are
 * processes, which interleave in every possible way. The FSM is not a model, it
 * is parq_pause_fsm.c itself. Documentation/nic/pause.rst has the protocol and the
 * invariants. "run" beside this file explores the model.
 *
 * Each step of a stage is one transition. So all relative speeds are covered: any
 * latency of the recycle path and of the FSM, late levels and late commands. Pauses
 * may begin and end at any moment, any number of times, and for each class the last
 * one may never end.
 *
 * Parameters:
 *	CLASSES		1 or 2 priorities of one port
 *	FRAMES		frames of each class
 *	DEPTH		FDs that the pipeline holds
 *	LEAD		FDs under way to the wire at which the QMAN stops to fetch (just
 *			in time); 0: it fetches whenever the pipeline has room
 *	LIMIT		entries of a park queue
 *	EXECUTOR	OFFLOAD, MANAGED, SWITCHED: changing at any moment, or
 *			CHAOS: arbitrary commands
 *	DOWN		1: the interface goes down once, at any moment, and comes up again
 *	LATE		1: levels reach the host late or are merged; 0: only commands
 *			are late, which is less work for Spin
 *	SIDES		2: each second frame is a transit frame of a switch, which parks in a
 *			FIFO on the device; 1: all are the host's
 *	MUTANT		the rule that is broken, 0 for none
 */
#define OFFLOAD		1
#define MANAGED		2
#define SWITCHED	3
#define CHAOS		4

#define NO_LATCH	1	/* HOLD follows PAUSE */
#define NO_CLEANER	2	/* HALT_ACK as soon as the QMAN has stopped */
#define CUT_PASS	3	/* a pass ends where it meets a pause */
#define NOT_STICKY	4	/* PAUSE alone decides about each FD of a pass */
#define RELEASE_BLIND	5	/* a release ignores PAUSE */
#define RELEASE_EARLY	6	/* a release does not wait for the pass to end */
#define NO_GUARD	7	/* the QMAN ignores the size of the park queue */
#define SEES_PAUSE	8	/* the levels word shows PAUSE in place of HOLD */
#define EAGER_PASS	9	/* passes begin while PAUSE is high */
#define STALL		10	/* FDs of a paused class wait at the gate */
#define OLD_HALT	11	/* HALT outlives the port */
#define HOST_FIRST	12	/* a pass reads the host's park queue first */

#ifndef SIDES
#define SIDES		1
#endif
/* The FIFO in which a frame of a class parks. */
#define FIFO(c, n)	((c) * SIDES + (n) % SIDES)

/* What travels in the pipeline. */
#define FRESH		0	/* an FD from a TX ring */
#define FLUSHED		1	/* an FD of a pass */
#define CLEANER		2	/* marker: pipe-cleaner */
#define END		3	/* marker: end of pass */

c_decl {
\#include "pause.h"
}

/* The device, by class. */
bit pause[CLASSES];
bit hold[CLASSES];
bit halt[CLASSES];
bit halt_ack[CLASSES];
bit flushing[CLASSES];
bit repaused[CLASSES];
byte parked[CLASSES];		/* FDs in its park queues */
byte ahead[CLASSES];		/* FDs in the pipeline, with LEAD */
byte left[CLASSES * SIDES];	/* FDs of a FIFO that the running pass has yet to read */
byte fetched[CLASSES];		/* frames that have left the TX ring */
byte sent[CLASSES];		/* frames that have started on the wire */
byte in_pipe;			/* FDs that hold a credit */

chan pipe = [DEPTH + 2 * CLASSES] of { byte, byte, byte };
chan recycle = [CLASSES * (FRAMES + 2)] of { byte, byte, byte };
chan park[CLASSES * SIDES] = [FRAMES] of { byte };

/* The executor, by class. */
byte state[CLASSES];		/* enum parq_fsm_state */
bit seq[CLASSES];		/* SEQ of the last command */
bit ack[CLASSES];		/* SEQ of the last command carried out */
byte page[CLASSES];		/* levels word in host memory, without ACK */
bit page_ack[CLASSES];		/* ACK in that word */
bit managed = (EXECUTOR == MANAGED);
chan command[CLASSES] = [1] of { byte };

#if MUTANT == RELEASE_BLIND
#define MAY_RELEASE(c)	(!flushing[c] && !parked[c])
#elif MUTANT == RELEASE_EARLY
#define MAY_RELEASE(c)	(!pause[c] && !parked[c])
#else
#define MAY_RELEASE(c)	(!flushing[c] && !parked[c] && !pause[c])
#endif

#if SIDES > 1
#define LEFT(c)		(left[FIFO(c, 0)] + left[FIFO(c, 1)])
#define START_PASS(c) \
	left[FIFO(c, 0)] = len(park[FIFO(c, 0)]); left[FIFO(c, 1)] = len(park[FIFO(c, 1)])
#define END_PASS(c)	left[FIFO(c, 0)] = 0; left[FIFO(c, 1)] = 0
#else
#define LEFT(c)		left[c]
#define START_PASS(c)	left[c] = parked[c]
#define END_PASS(c)	left[c] = 0
#endif

/* The gate commands of enum parq_pfc_op; a refused one does nothing. */
inline execute(c, op)
{
	if
	:: op == 1 && hold[c] && !halt[c] ->
		halt[c] = 1;
#if MUTANT == NO_CLEANER
		halt_ack[c] = 1
#else
		pipe!c, 0, CLEANER
#endif
	:: op == 2 && halt_ack[c] && !flushing[c] && parked[c] ->
		flushing[c] = 1;
		START_PASS(c)
	:: op == 3 && halt_ack[c] && MAY_RELEASE(c) ->
		hold[c] = 0;
		halt[c] = 0;
		halt_ack[c] = 0
	:: else
	fi
}

/*
 * Fetching just in time does not count FDs that the gate would turn back now: they take no time
 * on the wire. Otherwise those of a held class could block all other classes.
 */
#if LEAD
#define SENDS(c) \
	(!hold[c] || (flushing[c] && !pause[c] && !repaused[c]))
#if CLASSES > 1
#define AHEAD		((SENDS(0) -> ahead[0] : 0) + (SENDS(1) -> ahead[1] : 0))
#else
#define AHEAD		(SENDS(0) -> ahead[0] : 0)
#endif
#define IS_ROOM		(in_pipe < DEPTH && AHEAD < LEAD)
#define ENTER(c)	in_pipe++; ahead[c]++
#define LEAVE(c)	in_pipe--; ahead[c]--
#else
#define IS_ROOM		(in_pipe < DEPTH)
#define ENTER(c)	in_pipe++
#define LEAVE(c)	in_pipe--
#endif

/* I4, and I2 and I3: each frame is the next one of its class. */
inline send(c, n)
{
	assert(!pause[c]);
	assert(n == sent[c]);
	sent[c]++;
	LEAVE(c)
}

inline turn_back(c, n)
{
	recycle!c, n, FRESH;
	LEAVE(c)
}

/* Pauses of one class. When the process ends, PAUSE keeps its value forever. */
proctype mac(byte c)
{
progress:
	do
	:: d_step { !pause[c] -> pause[c] = 1; hold[c] = 1 }
	:: d_step {
		pause[c] -> pause[c] = 0;
#if MUTANT == NO_LATCH
		hold[c] = 0
#endif
	   }
	:: break
	od
}

/* The admission guard: all FDs that were fetched and not sent may have to be parked. */
#if MUTANT == NO_GUARD
#define MAY_FETCH(c)	true
#else
#define MAY_FETCH(c)	(fetched[c] - sent[c] < LIMIT)
#endif

proctype qman(byte c)
{
end:
	do
	:: d_step {
		fetched[c] < FRAMES && !halt[c] && IS_ROOM &&
		MAY_FETCH(c) ->
		pipe!c, fetched[c], FRESH;
		fetched[c]++;
		ENTER(c)
	   }
	od
}

/* The flush pass of a class. */
proctype qmi_flush(byte c)
{
	byte n, q;
#if SIDES > 1
	byte m;
#endif
end:
	do
	:: d_step {
		LEFT(c) && IS_ROOM ->
		q = FIFO(c, 0);
#if SIDES > 1
		/* Of both FIFOs the FD that was fetched first. */
		if
		:: !left[q] -> q++
#if MUTANT != HOST_FIRST
		:: left[q] && left[q + 1] ->
			park[q]?<n>;
			park[q + 1]?<m>;
			if
			:: m < n -> q++
			:: else
			fi
#endif
		:: else
		fi;
#endif
		park[q]?n;
		parked[c]--;
		left[q]--;
		pipe!c, n, FLUSHED;
		ENTER(c);
		if
		:: !LEFT(c) -> pipe!c, 0, END
		:: else
		fi;
#if SIDES > 1
		m = 0;
#endif
		n = 0; q = 0
	   }
	od
}

/* The end of the recycle path. */
proctype qmi_recycle()
{
	byte c, n, kind;
end:
	do
	:: d_step {
		recycle?c, n, kind ->
		if
		:: kind == CLEANER -> halt_ack[c] = 1
		:: kind == END -> flushing[c] = 0; repaused[c] = 0
		:: kind == FRESH ->
			assert(parked[c] < LIMIT);
			park[FIFO(c, n)]!n;
			parked[c]++
		fi;
		c = 0; n = 0; kind = 0
	   }
	od
}

#if MUTANT == STALL
#define GATE_TAKES	(nempty(pipe) && !(pause[0] && pipe?[0, _, FRESH]))
#else
#define GATE_TAKES	nempty(pipe)
#endif

/* The gate. */
proctype nti()
{
	byte c, n, kind;
end:
	do
	:: d_step {
		GATE_TAKES ->
		pipe?c, n, kind;
		if
		:: kind == CLEANER || kind == END -> recycle!c, n, kind
		:: kind <= FLUSHED && !hold[c] -> send(c, n)
		:: kind == FRESH && hold[c] -> turn_back(c, n)
		:: kind == FLUSHED && hold[c] ->
#if MUTANT == NOT_STICKY
			repaused[c] = pause[c];
#else
			repaused[c] = repaused[c] || pause[c];
#endif
#if MUTANT == CUT_PASS
			if
			:: repaused[c] && LEFT(c) ->
				END_PASS(c);
				pipe!c, 0, END
			:: else
			fi;
#endif
			if
			:: repaused[c] -> turn_back(c, n)
			:: else -> send(c, n)
			fi
		fi;
		c = 0; n = 0; kind = 0
	   }
	od
}

proctype offload(byte c)
{
	byte op;
end:
	do
	:: d_step {
		!managed && c_expr { OFFLOAD_MOVES } ->
		c_code { OFFLOAD_STEP; };
		execute(c, op);
		op = 0
	   }
#if MUTANT == EAGER_PASS
	:: d_step {
		halt_ack[c] && pause[c] && parked[c] && !flushing[c] ->
		execute(c, 2)
	   }
#endif
	od
}

/* The status page; only if LATE. */
proctype publish(byte c)
{
end:
	do
	:: d_step {
		managed && c_expr { PAGE_IS_OLD } ->
		c_code { PAGE_UPDATE(Ppublish->c); }
	   }
	od
}

/* The host: one command at a time. */
proctype host(byte c)
{
	byte op;
end:
	do
	:: d_step {
		managed && c_expr { HOST_MOVES } ->
		c_code { HOST_STEP; };
		if
		:: op -> command[c]!op; seq[c] = 1 - seq[c]
		:: else
		fi;
		op = 0
	   }
#if MUTANT == RELEASE_EARLY
	:: d_step {
		state[c] == 3 && seq[c] == ack[c] && empty(command[c]) ->
		state[c] = 4;
		command[c]!3;
		seq[c] = 1 - seq[c]
	   }
#endif
	od
}

proctype commands(byte c)
{
	byte op;
end:
	do
	:: d_step {
		command[c]?op ->
		execute(c, op);
		ack[c] = seq[c];
		op = 0
	   }
	od
}

/* The other executor takes over in the present state. For one class. */
proctype switcher(byte c)
{
progress:
	do
	:: d_step {
		seq[c] == ack[c] ->
		c_code { SWITCH; };
		managed = 1 - managed
	   }
	:: break
	od
}

proctype chaos(byte c)
{
	do
	:: d_step { execute(c, 1) }
	:: d_step { execute(c, 2) }
	:: d_step { execute(c, 3) }
	od
}

/*
 * The interface goes down and comes up again: all frames that were fetched and not sent
 * are dropped silently, and the protocol starts from its initial state. The driver clears
 * the page before it gives it to the device again. Register writes under way arrive
 * before the port stops.
 */
proctype down()
{
	byte c, n, kind;

	if
	:: d_step {
		do
		:: pipe?c, n, kind
		:: recycle?c, n, kind
		:: empty(pipe) && empty(recycle) -> break
		od;
		in_pipe = 0;
		for (c : 0 .. CLASSES - 1) {
			do
			:: park[FIFO(c, 0)]?n
			:: park[FIFO(c, 1)]?n
			:: command[c]?n
			:: empty(park[FIFO(c, 0)]) && empty(park[FIFO(c, 1)]) &&
			   empty(command[c]) -> break
			od;
			pause[c] = 0;
			hold[c] = 0;
#if MUTANT != OLD_HALT
			halt[c] = 0;
#endif
			halt_ack[c] = 0;
			flushing[c] = 0;
			repaused[c] = 0;
			parked[c] = 0;
			END_PASS(c);
			sent[c] = fetched[c];
			ahead[c] = 0;
			state[c] = 0;
			page[c] = 0;
			seq[c] = 0;
			ack[c] = 0;
			page_ack[c] = 0
		}
		c = 0; n = 0; kind = 0
	   }
	:: true
	fi
}

/*
 * I1, I5 and I6: when no process can take a step, a class that is not paused has sent all its
 * frames, even if the other class is paused forever.
 */
#define IS_DONE(c) \
	(pause[c] || (sent[c] == FRAMES && !hold[c] && !halt[c] && !parked[c]))

proctype judge()
{
	timeout ->
	assert(IS_DONE(0));
#if CLASSES > 1
	assert(IS_DONE(1));
#endif
}

#if LATE
#define RUN_HOST(c)	run publish(c); run host(c); run commands(c)
#else
#define RUN_HOST(c)	run host(c); run commands(c)
#endif

#if EXECUTOR == OFFLOAD
#define RUN_EXECUTOR(c)	run offload(c)
#elif EXECUTOR == MANAGED
#define RUN_EXECUTOR(c)	RUN_HOST(c)
#elif EXECUTOR == SWITCHED
#define RUN_EXECUTOR(c)	run offload(c); RUN_HOST(c); run switcher(c)
#else
#define RUN_EXECUTOR(c)	run chaos(c)
#endif

#define RUN_CLASS(c) \
	run mac(c); run qman(c); run qmi_flush(c); RUN_EXECUTOR(c)

init {
	atomic {
		run nti();
		run qmi_recycle();
		RUN_CLASS(0);
#if CLASSES > 1
		RUN_CLASS(1);
#endif
#if DOWN
		run down();
#endif
		run judge()
	}
}
