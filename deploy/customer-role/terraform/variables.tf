variable "penstock_account_id" {
  description = "The AWS account that Penstock runs in, as its operator tells you."
  type        = string

  validation {
    condition     = can(regex("^\\d{12}$", var.penstock_account_id))
    error_message = "An account ID is 12 digits."
  }
}

variable "external_id" {
  description = "A random text of your own, the same that you give as the schema's externalId; make it penstock-<your tenant's ID>-<a new UUID>."
  type        = string
  sensitive   = true

  validation {
    condition     = can(regex("^[\\w+=,.@:/-]{16,1224}$", var.external_id))
    error_message = "An external ID is 16 to 1224 letters, digits and _ + = , . @ : / -"
  }
}

variable "table_arns" {
  description = "ARNs of the tables; their indexes are included. A role's policy holds some 70; see tagged_tables."
  type        = list(string)
  default     = []

  validation {
    condition = alltrue([
      for arn in var.table_arns : can(regex("^arn:aws[a-z-]*:dynamodb:[a-z0-9-]+:\\d{12}:table/[\\w.-]{3,255}$", arn))
    ])
    error_message = "Each is the ARN of one table, arn:aws:dynamodb:<region>:<account>:table/<name>, without wildcards."
  }
}

variable "tagged_tables" {
  description = "Lets Penstock read every table of the account that is tagged penstock = read, now or later: any number of them."
  type        = bool
  default     = false
}

variable "list_tables" {
  description = "Lets Penstock list the names of all tables of the account, which a schema whose tableAllowlist is [\"*\"] needs."
  type        = bool
  default     = false
}

variable "kms_key_arns" {
  description = "ARNs of the customer-managed KMS keys that encrypt the tables; empty where AWS's own keys do."
  type        = list(string)
  default     = []
}

variable "role_name" {
  description = "The name of the role."
  type        = string
  default     = "penstock-access"
}
