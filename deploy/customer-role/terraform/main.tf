# A role through which Penstock reads the DynamoDB tables named, and nothing else. It is trusted by Penstock's account
# under your external ID only, and may not write.

data "aws_partition" "current" {}

data "aws_caller_identity" "current" {}

locals {
  read_actions = [
    "dynamodb:BatchGetItem",
    "dynamodb:DescribeTable",
    "dynamodb:GetItem",
    "dynamodb:Query",
    "dynamodb:Scan",
  ]
}

data "aws_iam_policy_document" "trust" {
  statement {
    effect  = "Allow"
    actions = ["sts:AssumeRole"]

    principals {
      type        = "AWS"
      identifiers = ["arn:${data.aws_partition.current.partition}:iam::${var.penstock_account_id}:root"]
    }

    condition {
      test     = "StringEquals"
      variable = "sts:ExternalId"
      values   = [var.external_id]
    }
  }
}

data "aws_iam_policy_document" "read_tables" {
  dynamic "statement" {
    for_each = length(var.table_arns) > 0 ? ["ReadTables"] : []

    content {
      sid       = statement.value
      effect    = "Allow"
      actions   = local.read_actions
      resources = var.table_arns
    }
  }

  dynamic "statement" {
    for_each = length(var.table_arns) > 0 ? ["ReadIndexes"] : []

    content {
      sid       = statement.value
      effect    = "Allow"
      actions   = ["dynamodb:Query", "dynamodb:Scan"]
      resources = [for arn in var.table_arns : "${arn}/index/*"]
    }
  }

  dynamic "statement" {
    for_each = var.tagged_tables ? ["ReadTaggedTables"] : []

    content {
      sid     = statement.value
      effect  = "Allow"
      actions = local.read_actions
      # An index has the tags of its table.
      resources = ["arn:${data.aws_partition.current.partition}:dynamodb:*:${data.aws_caller_identity.current.account_id}:table/*"]

      condition {
        test     = "StringEquals"
        variable = "aws:ResourceTag/penstock"
        values   = ["read"]
      }
    }
  }

  dynamic "statement" {
    for_each = var.list_tables ? ["ListTables"] : []

    content {
      sid       = statement.value
      effect    = "Allow"
      actions   = ["dynamodb:ListTables"]
      resources = ["*"]
    }
  }

  dynamic "statement" {
    for_each = length(var.kms_key_arns) > 0 ? ["DecryptThroughDynamoDB"] : []

    content {
      sid       = statement.value
      effect    = "Allow"
      actions   = ["kms:Decrypt"]
      resources = var.kms_key_arns

      condition {
        test     = "StringLike"
        variable = "kms:ViaService"
        values   = ["dynamodb.*"]
      }
    }
  }
}

resource "aws_iam_role" "access" {
  name                 = var.role_name
  description          = "Read access of Penstock to the tables named."
  max_session_duration = 3600
  assume_role_policy   = data.aws_iam_policy_document.trust.json

  lifecycle {
    precondition {
      condition     = length(var.table_arns) > 0 || var.tagged_tables
      error_message = "Give table_arns, or set tagged_tables to true."
    }
  }
}

resource "aws_iam_role_policy" "read_tables" {
  name   = "read-tables"
  role   = aws_iam_role.access.id
  policy = data.aws_iam_policy_document.read_tables.json
}
