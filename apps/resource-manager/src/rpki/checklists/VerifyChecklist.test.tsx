import { show } from '@portal/app-kit/testing';
import { fireEvent, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { VerifyChecklist } from './VerifyChecklist.tsx';

it('asks for one signature file if several were chosen, and lists them', async () => {
  show(<VerifyChecklist />);
  fireEvent.change(screen.getByLabelText('The .sig file and the files it is about'), {
    target: { files: [new File(['a'], 'may.sig'), new File(['b'], 'JUNE.SIG'), new File(['c'], 'letter.txt')] },
  });
  expect(await screen.findByText('Choose one .sig file at a time. You chose may.sig, JUNE.SIG.')).toBeDefined();
  expect(screen.getByText('letter.txt')).toBeDefined();
  expect(screen.queryByText('may.sig')).toBeNull();
});
