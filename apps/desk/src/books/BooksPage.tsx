import { Page, reading, useAddress, useAnswer, useKit } from '@portal/app-kit';
import { books } from '@portal/contract/billing/books';
import { pages } from '@portal/contract/pages';
import { proposals } from '@portal/contract/proposals/proposals';
import { Breadcrumb, Button, ButtonRow, Sheet, Stack } from '@portal/ui';
import { useQuery } from '@tanstack/react-query';
import { useMay } from '../shell/use-may.ts';
import { BookMonthParts } from './BookMonthParts.tsx';
import { TAX_REPORT } from './BookReports.tsx';
import styles from './Books.module.css';
import { closingLink, monthName } from './book-words.ts';
import { Months } from './Months.tsx';
import { OwnLimits } from './OwnLimits.tsx';

/** /desk/books: the months of the books, closed by one person and confirmed by another, and what each comes to. */
export default function BooksPage() {
  const { call } = useKit();
  const may = useMay();
  const desk = useAnswer(books.getBooks, {});
  const address = useAddress();
  const asked = address.get('month');
  const { month, closed } =
    desk.months.find(each => each.month === asked) ?? desk.months.find(each => each.month === desk.closable) ?? desk.months.at(-1)!;
  const waiting = useQuery({ ...reading(call, proposals.listStaffProposals, {}), enabled: may(proposals.listStaffProposals) }).data
    ?.waiting;
  // The latest month that someone has asked to close; those before it are closed with it.
  const request = desk.months
    .filter(each => each.closed === null)
    .map(each => ({ month: each.month, by: waiting?.find(({ link }) => link === closingLink(each.month)) }))
    .findLast(({ by }) => by !== undefined);
  const reports = useQuery(reading(call, books.getBookReports, { month })).data;
  const state = closed
    ? `Closed by ${closed.closedBy}. `
    : request?.by && month <= request.month
      ? `${request.by.isMine ? 'You asked' : `${request.by.proposedBy} asked`} to close it. `
      : '';
  return (
    <Page
      title={`${pages.deskBooks.title}: ${monthName(month)}`}
      breadcrumb={
        <Breadcrumb
          items={[
            { label: pages.deskHome.title, href: pages.deskHome.path },
            { label: pages.deskBooks.title, href: pages.deskBooks.path },
            { label: monthName(month) },
          ]}
        />
      }
      sub={`${state}Amounts in ${desk.currency}. Auditors see the same page.`}
      actions={
        <ButtonRow>
          <Button icon="document" onClick={() => window.print()}>
            Print the month
          </Button>
          {reports && reports.tax.length > 0 && <Button onClick={goToTax}>{reports.taxName} report</Button>}
        </ButtonRow>
      }
    >
      <Stack gap={16}>
        <Sheet flush aria-label="Months" className={styles.strip}>
          <Months desk={desk} closing={request?.month ?? null} chosen={month} onChoose={each => address.set({ month: each })} />
        </Sheet>
        <BookMonthParts key={month} desk={desk} month={{ month, closed }} />
        <div className={styles.limits}>
          <OwnLimits desk={desk} />
        </div>
      </Stack>
    </Page>
  );
}

/** Shows the report of the tax, further down, and puts the keyboard there. */
function goToTax(): void {
  const report = document.getElementById(TAX_REPORT);
  report?.scrollIntoView({ block: 'start' });
  report?.focus({ preventScroll: true });
}
