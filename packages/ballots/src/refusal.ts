/** Reasons why what others made is refused; stable, for logs and programs. */
export type RefusalCode =
  /** Not in the form of the specification: syntax, fields, numbers that are not canonical. */
  | 'FORM'
  /** Larger, deeper or of more parts than allowed. */
  | 'TOO_LARGE'
  /** In the right form, and made for something that this program does not know: another group, questions that are not homomorphic. */
  | 'UNSUPPORTED'
  /** A number that is no element of the group. */
  | 'NOT_AN_ELEMENT'
  /** A proof or a signature that does not hold. */
  | 'PROOF'
  /** Made for another election. */
  | 'OTHER_ELECTION'
  /** A credential that is not on the list, or is on it twice. */
  | 'CREDENTIAL'
  /** A second ballot of a credential, where a vote is final. */
  | 'SECOND_BALLOT'
  /** Keys, decryptions or shares of trustees that do not fit together. */
  | 'TRUSTEES'
  /** An archive whose records, hashes or events do not follow each other. */
  | 'CHAIN'
  /** A tally or a result that is not that of the ballots. */
  | 'RESULT';

/** Refusal of something that others made. The message is one sentence that says what is wrong. */
export class Refusal extends Error {
  readonly code: RefusalCode;
  constructor(code: RefusalCode, message: string) {
    super(message);
    this.name = 'Refusal';
    this.code = code;
  }
}

/** Refuses unless `holds`. @throws {Refusal} */
export function refuseUnless(holds: boolean, code: RefusalCode, message: string): asserts holds {
  if (!holds) throw new Refusal(code, message);
}
