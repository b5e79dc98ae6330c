import { useAnswer } from '@portal/app-kit';
import { answerMonths, helpAnswers, type HelpAnswers as Answers } from '@portal/contract/help-pages/answers';
import { EmptyState, formatCount, formatShare, Link, Sheet } from '@portal/ui';
import { type Column, DataTable, emptyTableState } from '@portal/ui/table/DataTable';

const columns: Column<Answers>[] = [
  { id: 'article', label: 'Article', card: 'key', fixed: true, cell: ({ slug, title }) => <Link href={`/help/${slug}`}>{title}</Link> },
  { id: 'yes', label: 'Helped', fixed: true, align: 'end', cell: ({ yes }) => formatCount(yes) },
  { id: 'no', label: 'Didn’t help', fixed: true, align: 'end', cell: ({ no }) => formatCount(no) },
  { id: 'share', label: 'Share', fixed: true, align: 'end', cell: ({ yes, no }) => formatShare(yes / (yes + no)) },
];

/** Lists the answers of readers at the end of articles: those that failed most often first. */
export function HelpAnswers() {
  const { rows } = useAnswer(helpAnswers.listHelpAnswers, {});
  return (
    <Sheet flush title="Did the help answer?" meta={`Answers of readers in the last ${answerMonths} months`}>
      <DataTable
        caption="Did the help answer?"
        columns={columns}
        rows={rows}
        rowId={({ slug }) => slug}
        state={emptyTableState}
        empty={
          <EmptyState title="No answers yet" picture={false}>
            Each article of the help asks whether it answered the reader’s question. Answers appear here, articles that failed most often
            first.
          </EmptyState>
        }
      />
    </Sheet>
  );
}
