# A role through which Penstock reads the DynamoDB tables named, and nothing else. It is trusted by Penstock's account
# under your external ID only, and may not write.

data "aws_partition" "current" {}

data "aws_caller_identity" "current" {}

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
  statement {
    sid    = "ReadTables"
    effect = "Allow"
    actions = [
      "dynamodb:BatchGetItem",
      "dynamodb:DescribeTable",
      "dynamodb:GetItem",
      "dynamodb:Query",
      "dynamodb:Scan",
    ]
    resources = var.table_arns
  }

  statement {
    sid       = "ReadIndexes"
    effect    = "Allow"
    actions   = ["dynamodb:Query", "dynamodb:Scan"]
    resources = [for arn in var.table_arns : "${arn}/index/*"]
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
}

resource "aws_iam_role_policy" "read_tables" {
  name   = "read-tables"
  role   = aws_iam_role.access.id
  policy = data.aws_iam_policy_document.read_tables.json
}
