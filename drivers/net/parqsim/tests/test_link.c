// SPDX-License-Identifier: GPL-2.0
/* The link: which settings of the two ends bring it up, at which speed and duplex. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <linux/bitfield.h>

#include "rig.h"

#define EN		PARQ_LINK_CTRL_EN
#define AN		PARQ_LINK_CTRL_AN
#define FULL		PARQ_LINK_CTRL_FULL_DUPLEX
#define FORCED(speed)	FIELD_PREP(PARQ_LINK_CTRL_SPEED, PARQ_SPEED_##speed)
#define ADV(speed)	BIT(PARQ_SPEED_##speed)
#define ALL		(BIT(PARQ_NUM_SPEEDS) - 1)
#define ON		.present = true, .en = true

#define PRESENT		PARQ_PORT_STATUS_PRESENT
#define HALF_AT(speed) \
	(PRESENT | PARQ_PORT_STATUS_LINK | \
	 FIELD_PREP(PARQ_PORT_STATUS_SPEED, PARQ_SPEED_##speed))
#define FULL_AT(speed)	(HALF_AT(speed) | PARQ_PORT_STATUS_FULL_DUPLEX)

static const struct parqsim_config config = {
	.ports = 2, .txq = 1, .rxq = 1, .depth = 32, .clk_ps = 1000,
	.speeds = ALL, .addr = { 2, 0, 0, 0, 0, 1 },
};

/**
 * struct ends - a link
 * @what: its name
 * @ctrl: PARQ_LINK_CTRL
 * @adv: PARQ_LINK_ADV
 * @partner: the other end
 * @status: PARQ_PORT_STATUS that follows
 */
struct ends {
	const char *what;
	u32 ctrl;
	u32 adv;
	struct parqsim_partner partner;
	u32 status;
};

static const struct ends links[] = {
	{ "no partner", EN | AN, ALL, { .en = true, .an = true, .adv = ALL }, 0 },
	{ "own PHY off", AN, ALL, { ON, .an = true, .adv = ALL }, PRESENT },
	{ "partner's PHY off", EN | AN, ALL, { .present = true, .an = true, .adv = ALL }, PRESENT },
	{ "fastest", EN | AN, ALL, { ON, .an = true, .adv = ALL }, FULL_AT(400G) },
	{ "fastest in common", EN | AN, ADV(1G) | ADV(10G),
	  { ON, .an = true, .adv = ADV(1G) | ADV(25G) }, FULL_AT(1G) },
	{ "none in common", EN | AN, ADV(1G), { ON, .an = true, .adv = ADV(10G) }, PRESENT },
	{ "both forced", EN | FULL | FORCED(5G), ALL, { ON, .speed = PARQ_SPEED_5G },
	  FULL_AT(5G) },
	{ "forced apart", EN | FULL | FORCED(5G), ALL, { ON, .speed = PARQ_SPEED_10G }, PRESENT },
	{ "follows the partner", EN | AN, ADV(100M) | ADV(1G), { ON, .speed = PARQ_SPEED_100M },
	  HALF_AT(100M) },
	{ "cannot follow", EN | AN, ADV(1G), { ON, .speed = PARQ_SPEED_100M }, PRESENT },
	{ "is followed", EN | FULL | FORCED(1G), ADV(10G), { ON, .an = true, .adv = ALL },
	  FULL_AT(1G) },
	{ "is not followed", EN | FULL | FORCED(1G), ALL, { ON, .an = true, .adv = ADV(10G) },
	  PRESENT },
	{ "full duplex", EN | FULL | FORCED(100M), ALL,
	  { ON, .full_duplex = true, .speed = PARQ_SPEED_100M }, FULL_AT(100M) },
	{ "own half duplex", EN | FORCED(100M), ALL,
	  { ON, .full_duplex = true, .speed = PARQ_SPEED_100M }, HALF_AT(100M) },
	{ "partner's half duplex", EN | FULL | FORCED(10M), ALL, { ON, .speed = PARQ_SPEED_10M },
	  HALF_AT(10M) },
};

static void check(struct rig *r, const struct ends *l)
{
	u32 status;
	int speed;

	rig_write(r, 1, PARQ_LINK_CTRL, l->ctrl);
	rig_write(r, 1, PARQ_LINK_ADV, l->adv);
	rig_assert_no_error(r);
	speed = parqsim_link(r->sim, 1, &l->partner);
	status = rig_read(r, 1, PARQ_PORT_STATUS);
	if (status != l->status)
		print_error("the link: %s\n", l->what);
	assert_int_equal(status, l->status);
	assert_int_equal(speed, status & PARQ_PORT_STATUS_LINK ?
			 (int)FIELD_GET(PARQ_PORT_STATUS_SPEED, status) : -1);
	assert_int_equal(rig_read(r, 1, PARQ_LINK_PARTNER),
			 l->partner.present && l->partner.en ? l->partner.adv : 0);
	assert_int_equal(rig_read(r, 0, PARQ_PORT_STATUS), 0);
}

static void both_ends_decide(void **state)
{
	struct rig r;
	u32 i;

	(void)state;
	rig_bare(&r, &config);
	for (i = 0; i < sizeof(links) / sizeof(*links); i++)
		check(&r, &links[i]);
	rig_fini(&r);
}

/* What the host passes on to the partner. */
static void settings_are_told(void **state)
{
	struct parqsim_partner self;
	struct rig r;

	(void)state;
	rig_bare(&r, &config);
	parqsim_link_self(r.sim, 1, &self);
	assert_true(self.present && !self.en && self.an && self.full_duplex);
	assert_int_equal(self.speed, PARQ_SPEED_400G);
	assert_int_equal(self.adv, ALL);
	rig_write(&r, 1, PARQ_LINK_CTRL, EN | FORCED(10M));
	rig_write(&r, 1, PARQ_LINK_ADV, ADV(1G) | PARQ_LINK_ADV_PAUSE);
	parqsim_link_self(r.sim, 1, &self);
	assert_true(self.present && self.en && !self.an && !self.full_duplex);
	assert_int_equal(self.speed, PARQ_SPEED_10M);
	assert_int_equal(self.adv, ADV(1G) | PARQ_LINK_ADV_PAUSE);
	rig_fini(&r);
}

/* A reset turns the PHYs off, of which the partners learn. The rig's partners do the same. */
static void reset_is_told(void **state)
{
	struct rig r;
	u32 port;

	(void)state;
	rig_bare(&r, &config);
	for (port = 0; port < config.ports; port++) {
		rig_write(&r, port, PARQ_LINK_CTRL, EN | AN);
		assert_int_equal(rig_read(&r, port, PARQ_PORT_STATUS), FULL_AT(400G));
		assert_int_equal(rig_read(&r, port, PARQ_LINK_PARTNER), ALL);
	}
	parqsim_write(r.sim, PARQ_CTRL, PARQ_CTRL_RESET);
	for (port = 0; port < config.ports; port++) {
		assert_int_equal(rig_read(&r, port, PARQ_PORT_STATUS), PRESENT);
		assert_int_equal(rig_read(&r, port, PARQ_LINK_PARTNER), 0);
	}
	rig_fini(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(both_ends_decide),
		cmocka_unit_test(settings_are_told),
		cmocka_unit_test(reset_is_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
