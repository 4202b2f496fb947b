/* SPDX-License-Identifier: GPL-2.0 */
/* Messages on standard error, by level. */
#ifndef _PARQ_NIC_LOG_H
#define _PARQ_NIC_LOG_H

enum log_level {
	LOG_ERROR,	/* a request cannot be carried out */
	LOG_WARN,	/* frames are lost or a peer misbehaves; the NIC continues */
	LOG_INFO,	/* clients, peers and links appear and disappear */
	LOG_DEBUG,	/* every event except frames */
	LOG_NUM_LEVELS
};

/* Names of the levels, in the same order. */
extern const char *const log_names[LOG_NUM_LEVELS];

/* Messages of this level and of more important ones are printed. */
extern enum log_level log_level;

void log_print(enum log_level level, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

#define log_error(...)	log_print(LOG_ERROR, __VA_ARGS__)
#define log_warn(...)	log_print(LOG_WARN, __VA_ARGS__)
#define log_info(...)	log_print(LOG_INFO, __VA_ARGS__)
#define log_debug(...)	log_print(LOG_DEBUG, __VA_ARGS__)

#endif /* _PARQ_NIC_LOG_H */
