"""Recomputes the books of a registry from what people did there, with nothing of the registry's code.

books.py FOLDER reads what the registry's interfaces gave out:

  fees.json         the announced fees
  holders.json      accounts with their economy, holdings, and the end of the term with which the books begin
  acts.jsonl        what happened, in order: invoices as they were issued, and the acts of people that were carried out
  days.csv          for each day and account what the registry said in its evening: what was owed, and the credit
  statements/*.csv  the statement of each account
  journals/*.csv    the journal of each month, at the end; closed/*.csv: the same, as it was when the month was closed
  postings/*.csv    the general ledger of each month, at the end; posted/*.csv: the same, as it was when the month was closed
  kept/*.csv        statements until the last day of a closed month, as they were then; again/*.csv: the same, at the end

It writes one line of figures in JSON. What differs goes to standard error, and the exit code is 1. Amounts are whole cents.
"""

import collections
import csv
import datetime
import json
import math
import os
import sys

folder = sys.argv[1]
problems = []
figures = collections.Counter()


def differs(what, *values):
    problems.append(f"{what}: {' | '.join(str(value) for value in values)}")


def cents(text):
    sign = -1 if text.startswith("-") else 1
    whole, _, places = text.lstrip("-").partition(".")
    return sign * (int(whole or 0) * 100 + int((places + "00")[:2]))


def rows(*path):
    with open(os.path.join(folder, *path), newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def names(part):
    place = os.path.join(folder, part)
    return sorted(os.listdir(place)) if os.path.isdir(place) else []


def data(*path):
    with open(os.path.join(folder, *path), "rb") as file:
        return file.read()


def day_after(day, days=1):
    return (datetime.date.fromisoformat(day) + datetime.timedelta(days=days)).isoformat()


def half_up(amount):
    """A whole number; what floating point leaves of a half is one."""
    return math.floor(amount + 0.5 + 1e-7)


# What a term costs, as it is announced: base fee times factor to the power of the address bits, of the greater family.

schedules = sorted(json.loads(data("fees.json")), key=lambda each: each["validFrom"])


def fees_of(day):
    of = [each for each in schedules if each["validFrom"] <= day]
    return of[-1]["fees"]["member"]


def renewal_sums(holder, begins):
    fees = fees_of(begins)

    def part(count, offset):
        if count == 0:
            return 0
        return half_up(float(fees["baseFee"]) * float(fees["bitFactor"]) ** max(0, math.log2(count) - offset) * 100)

    ipv4, ipv6 = holder["ipv4"], holder["ipv6"]
    if ipv4 == 0 and ipv6 == 0:
        fee = cents(fees["associateFee"])
    else:
        fee = max(part(ipv4, 32 - fees["ipv4Base"]), part(ipv6, 56 - fees["ipv6Base"]))
    if holder["leastDeveloped"]:
        fee = half_up(fee * float(fees["ldcShare"]))
    net = fee + cents(fees["asnFee"]) * max(0, holder["asns"] - fees["freeAsns"])
    return net, half_up(net * holder["tax"])


# The accounts, from what was done.


class Invoice:
    def __init__(self, act):
        self.number, self.account, self.kind = act["number"], act["account"], act["kind"]
        self.total, self.paid, self.credited, self.off, self.open = cents(act["total"]), 0, 0, 0, True

    @property
    def left(self):
        return self.total - self.paid - self.credited - self.off if self.open else 0


holders = {holder["account"]: holder for holder in json.loads(data("holders.json"))}
invoices, receipts, reactivations = {}, {}, {}
credit = collections.Counter()
#: What each day moved in the balance of an account, by the day that the document has.
moved = collections.defaultdict(collections.Counter)
#: What came into and went out of the bank, by the same day.
banked = collections.Counter()
#: What was left of fees when their reactivation ended, and the notes that took it back.
ended_fees, fee_notes = {}, {}
first_open = ""
terms = collections.defaultdict(list)
numbers = collections.defaultdict(list)


def counted(number):
    kind, year, sequence = number.split("-")
    numbers[kind, year].append(int(sequence))


def receive(invoice, receipt, amount, day):
    used = min(amount, max(0, invoice.left))
    invoice.paid += used
    credit[invoice.account] += amount - used
    if invoice.left == 0:
        invoice.open = False
    receipts[receipt] = {"invoice": invoice, "amount": amount, "became": amount - used, "day": day}
    moved[invoice.account][day] -= amount
    banked[day] += amount


def open_again(invoice):
    invoice.open = invoice.credited < invoice.total


def on_invoice(act):
    invoice = invoices[act["number"]] = Invoice(act)
    counted(act["number"])
    account, net, tax = act["account"], cents(act["subtotal"]), cents(act["tax"])
    if net + tax != invoice.total:
        differs(f"{invoice.number} is not the sum of its parts", net, tax, invoice.total)
    if invoice.kind == "renewal":
        terms[account, act["periodFrom"]].append(invoice)
        expected = renewal_sums(holders[account], act["periodFrom"])
        if (net, tax) != expected:
            differs(f"{invoice.number} of {account} is not the fee that was announced", (net, tax), expected)
    elif tax != half_up(net * holders[account]["tax"]):
        differs(f"{invoice.number} of {account} is not taxed as its economy is", net, tax)
    moved[account][act["issuedOn"]] += invoice.total
    if invoice.kind == "reactivation":
        reactivations[account]["fee"] = invoice
    used = min(credit[account], invoice.total)
    if used > 0:
        credit[account] -= used
        invoice.paid = used
        # It has a receipt of its own, which moves nothing: the money came before.
        invoice.open = invoice.total > used
    figures["invoices"] += 1


def on_payment(act):
    receive(invoices[act["invoice"]], act["receipt"], cents(act["amount"]), act["receivedOn"])


def on_reversal(act):
    receipt = receipts[act["receipt"]]
    invoice, amount = receipt["invoice"], receipt["amount"]
    counted(act["number"])
    from_invoice = min(amount - receipt["became"], invoice.paid)
    invoice.paid -= from_invoice
    credit[invoice.account] -= amount - from_invoice
    if credit[invoice.account] < 0:
        differs(f"{act['number']} took back credit that was used", invoice.account, credit[invoice.account])
    if from_invoice > 0:
        open_again(invoice)
    moved[invoice.account][act["day"]] += amount
    banked[act["day"]] -= amount
    if act.get("movedTo"):
        # Of the day on which it came, or the first that is open.
        receive(invoices[act["movedTo"]], act["newReceipt"], amount, max(receipt["day"], first_open))


def on_credit_note(act):
    invoice, amount = invoices[act["invoice"]], cents(act["amount"])
    counted(act["number"])
    invoice.credited += amount
    freed = max(0, invoice.paid + invoice.credited - invoice.total)
    invoice.paid -= freed
    credit[invoice.account] += freed
    if invoice.paid + invoice.credited == invoice.total:
        invoice.open = False
    moved[invoice.account][act["day"]] -= amount


def on_refund(act):
    credit[act["account"]] -= cents(act["amount"])
    moved[act["account"]][act["refundedOn"]] += cents(act["amount"])
    banked[act["refundedOn"]] -= cents(act["amount"])


def on_write_off(act):
    invoice = invoices[act["invoice"]]
    moved[invoice.account][act["day"]] -= invoice.left
    invoice.off, invoice.open = invoice.left, False


def on_reactivation(act):
    reactivations[act["account"]] = {"payBy": act["payBy"], "fee": None, "waived": act["waived"]}


def end_reactivation(account, day):
    fee = reactivations.pop(account)["fee"]
    if fee is None or fee.credited == fee.total:
        return
    moved[account][day] -= fee.total - fee.credited
    credit[account] += fee.paid
    ended_fees[fee.number] = fee.total - fee.credited
    fee.paid, fee.credited, fee.open = 0, fee.total, False
    figures["ended fees"] += 1


def on_ended_fee(act):
    """The note that takes back the fee of a reactivation that ended."""
    counted(act["number"])
    fee_notes[act["invoice"]] = cents(act["amount"])


def on_close(act):
    global first_open
    first_open = day_after(act["lastDay"])


acts = {
    "invoice": on_invoice,
    "payment": on_payment,
    "reversal": on_reversal,
    "credit-note": on_credit_note,
    "refund": on_refund,
    "write-off": on_write_off,
    "reactivation": on_reactivation,
    "reactivation-ended": lambda act: end_reactivation(act["account"], act["day"]),
    "ended-fee": on_ended_fee,
    "close": on_close,
}


def owed_by(account):
    return sum(invoice.left for invoice in invoices.values() if invoice.account == account)


def complete_reactivations(day):
    """Everything paid opens the account, and a fee that isn't paid in time is cancelled."""
    for account, each in list(reactivations.items()):
        is_paid = owed_by(account) == 0 and (each["waived"] or (each["fee"] is not None and not each["fee"].open))
        if is_paid:
            del reactivations[account]
        elif day > each["payBy"]:
            end_reactivation(account, day)


# Day by day: what was said in the evening is what comes of what was done until then.

said = collections.defaultdict(dict)
for row in rows("days.csv"):
    said[row["day"]][row["account"]] = (cents(row["owed"]), cents(row["credit"]))
done = collections.defaultdict(list)
for line in data("acts.jsonl").decode().splitlines():
    act = json.loads(line)
    done[act["day"]].append(act)
    figures["acts"] += act["act"] not in ("invoice", "ended-fee")
    figures[act["act"]] += 1
for day in sorted(said):
    complete_reactivations(day)
    for act in done[day]:
        acts[act["act"]](act)
    complete_reactivations(day)
    owed = collections.Counter()
    for invoice in invoices.values():
        owed[invoice.account] += invoice.left
    for account in holders:
        mine, theirs = (owed[account], credit[account]), said[day].get(account, (0, 0))
        if mine != theirs:
            differs(f"{account} on {day}: owed and credit", mine, theirs)
        figures["account days"] += 1
for day in set(done) - set(said):
    differs(f"{day} has acts, and no evening", len(done[day]))

if ended_fees != fee_notes:
    differs("notes of fees that ended", ended_fees, fee_notes)

# Each account is billed for the term that follows the one it had, and for no term twice.
for (account, begins), billed in terms.items():
    if sum(invoice.credited < invoice.total for invoice in billed) > 1:
        differs(f"{account} is billed twice for the term from {begins}", *(invoice.number for invoice in billed))
for account, holder in holders.items():
    if max(said) > day_after(holder["ends"], 2) and not terms[account, day_after(holder["ends"])]:
        differs(f"{account} is not billed for the term from {day_after(holder['ends'])}")
for (kind, year), found in numbers.items():
    if sorted(found) != list(range(1, len(found) + 1)):
        differs(f"numbers of {kind} {year} have gaps", len(found), max(found))

# Statements: the balance after each day.
first, last = min(said), max(said)
for account in holders:
    balances, balance = {}, 0
    for row in rows("statements", f"{account}.csv"):
        balances[row["day"]] = cents(row["balance"])
    mine = theirs = 0
    day = min([first, *moved[account]])
    while day <= last:
        mine += moved[account][day]
        theirs = balances.get(day, theirs)
        if mine != theirs:
            differs(f"the statement of {account} on {day}", mine, theirs)
            break
        figures["statement days"] += 1
        day = day_after(day)
    if any(day > last for day in balances):
        differs(f"the statement of {account} has days after {last}")

# Journals: every line balances, their accounts are those of the acts, and closed months keep their bytes.
sides = ["receivable", "credit", "bank", "revenue", "tax", "badDebt"]
ledger = collections.defaultdict(collections.Counter)
bank, totals = collections.Counter(), collections.Counter()
by_month = collections.defaultdict(collections.Counter)
for name in names("journals"):
    for row in rows("journals", name):
        if row["day"][:7] != name[:7]:
            differs(f"the journal of {name} has a line of {row['day']}")
        amounts = {side: cents(row[side]) for side in sides}
        if sum(amounts.values()) != 0:
            differs(f"{row['document']} doesn't balance", amounts)
        ledger[row["accountName"]][row["day"]] += amounts["receivable"] + amounts["credit"]
        bank[row["day"]] += amounts["bank"]
        totals.update(amounts)
        by_month[name[:7]].update(amounts)
        figures["journal lines"] += 1
for account in {*ledger, *moved}:
    for day in {*ledger[account], *moved[account]}:
        if ledger[account][day] != moved[account][day]:
            differs(f"the journal of {account} on {day}", moved[account][day], ledger[account][day])
for day in {*bank, *banked}:
    if bank[day] != banked[day]:
        differs(f"the bank on {day}", banked[day], bank[day])
if totals["receivable"] != sum(invoice.left for invoice in invoices.values()) or -totals["credit"] != sum(credit.values()):
    differs("the ledger at the end", dict(totals), sum(credit.values()))
for part, again in (("closed", "journals"), ("posted", "postings"), ("kept", "again")):
    for name in names(part):
        if data(part, name) != data(again, name):
            differs(f"{part}/{name} changed after its month was closed")
        figures[part] += 1

# The general ledger: each document balances, and its accounts are those of the journal.
titles = {"Receivables": "receivable", "Member credit": "credit", "Bank": "bank", "Card provider": "bank", "Tax to pay": "tax", "Write-offs": "badDebt"}
for name in names("postings"):
    documents, accounts = collections.Counter(), collections.Counter()
    for row in rows("postings", name):
        amount = cents(row["debit"] or "0") - cents(row["credit"] or "0")
        documents[row["day"], row["document"]] += amount
        accounts[titles.get(row["account"], "revenue")] += amount
        figures["postings"] += 1
    for document, amount in documents.items():
        if amount != 0:
            differs(f"postings of {document} don't balance", amount)
    for side in sides:
        if accounts[side] != by_month[name[:7]][side]:
            differs(f"{side} in the general ledger of {name}", by_month[name[:7]][side], accounts[side])

print(json.dumps(dict(sorted(figures.items()))))
for problem in problems[:40]:
    print(problem, file=sys.stderr)
if problems:
    print(f"{len(problems)} differences", file=sys.stderr)
sys.exit(1 if problems else 0)
