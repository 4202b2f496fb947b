/* SPDX-License-Identifier: GPL-2.0 */
/* What the process has to say, on standard error, by importance. */
#ifndef _PARQ_NIC_LOG_H
#define _PARQ_NIC_LOG_H

enum log_level {
	LOG_ERROR,	/* the NIC does not do what it was told to */
	LOG_WARN,	/* something is lost or misbehaves; the NIC goes on */
	LOG_INFO,	/* who comes and goes: clients, peers, links */
	LOG_DEBUG,	/* every event that is not a frame */
	LOG_NUM_LEVELS
};

/* Names of the levels, in the same order. */
extern const char *const log_names[LOG_NUM_LEVELS];

/* Lines of this level and of the more important ones are printed. */
extern enum log_level log_level;

void log_print(enum log_level level, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

#define log_error(...)	log_print(LOG_ERROR, __VA_ARGS__)
#define log_warn(...)	log_print(LOG_WARN, __VA_ARGS__)
#define log_info(...)	log_print(LOG_INFO, __VA_ARGS__)
#define log_debug(...)	log_print(LOG_DEBUG, __VA_ARGS__)

#endif /* _PARQ_NIC_LOG_H */
