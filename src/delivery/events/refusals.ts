/** Every reason to refuse one event for good: the table of reasons in docs/delivery-api.md. */

export class Refusal {
  /** As the response and the metrics have it. */
  readonly reason: string;

  constructor(reason: string) {
    this.reason = reason;
  }
}

type RefusalName =
  | 'notTaken'
  | 'userMissing'
  | 'userInvalid'
  | 'malformed'
  | 'eidInvalid'
  | 'atInvalid'
  | 'tooOld'
  | 'inFuture'
  | 'exposureInvalid'
  | 'nameInvalid'
  | 'valueInvalid'
  | 'namesTooMany';

export const refusals: Readonly<Record<RefusalName, Refusal>> = {
  /** The environment takes no events, or the server has them off. */
  notTaken: new Refusal('not_taken'),
  userMissing: new Refusal('user_missing'),
  userInvalid: new Refusal('user_invalid'),
  /** No object, or of an unknown type. */
  malformed: new Refusal('malformed'),
  eidInvalid: new Refusal('eid_invalid'),
  atInvalid: new Refusal('at_invalid'),
  tooOld: new Refusal('too_old'),
  inFuture: new Refusal('in_future'),
  exposureInvalid: new Refusal('exposure_invalid'),
  nameInvalid: new Refusal('name_invalid'),
  valueInvalid: new Refusal('value_invalid'),
  namesTooMany: new Refusal('names_too_many'),
};
