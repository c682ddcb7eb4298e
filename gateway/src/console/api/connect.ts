/** What the wizard needs to show how an access role is made. Schemas themselves are `/v1/schemas`. */
export interface ConnectGuide {
  /** The AWS account that the service runs in, which the role has to trust; null where the operator has not said. */
  readonly serviceAccountId: string | null;
  /** New at each call, and nobody else's: `penstock-<tenant ID>-<UUID>`. */
  readonly externalId: string;
  /** Where CloudFormation reads the template from, for a quick-create link; null where the operator has not said. */
  readonly templateUrl: string | null;
  /** The template (YAML), for whoever has no such link. Its parameters: PenstockAccountId, ExternalId, TableArns, … */
  readonly template: string;
}
